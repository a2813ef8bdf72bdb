# Tells a running system what was installed or removed. Read by the scripts that install, and part of the tarball, whose
# installer is for any POSIX shell.

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# give_back: makes the nodes that the rules gave to the group accessible only to root again
give_back() {
    local tagged node
    # udev does not reset a node that no rule matches any more; with this mode its access control list has no effect
    # either.
    for tagged in /run/udev/tags/rigready/c*; do
        node=/dev/char/${tagged##*/c}
        if [ -c "$node" ] && [ "$(stat -L -c %G "$node")" = iio ]; then
            as_root chgrp root "$node"
            as_root chmod 600 "$node"
            say "reset to root  $(realpath "$node")"
        fi
    done
}

# make_users: creates the group iio and the user rigready, with what the system has for that
make_users() {
    if command -v systemd-sysusers >/dev/null; then
        as_root systemd-sysusers rigready.conf
    elif command -v groupadd >/dev/null; then
        as_root groupadd --system --force iio
        grep -q '^rigready:' /etc/passwd || as_root useradd --system --user-group --groups iio --home-dir / \
            --no-create-home --shell /sbin/nologin --comment "RigReady service" rigready
    elif command -v addgroup >/dev/null; then
        # BusyBox
        grep -q '^iio:' /etc/group || as_root addgroup -S iio
        grep -q '^rigready:' /etc/passwd || as_root adduser -S -D -H -h / -s /bin/false rigready
        as_root addgroup rigready iio
    else
        false
    fi
}

# tell_system [users]: makes a running system reload rules, users and units; does nothing with DESTDIR
tell_system() {
    [ -z "${DESTDIR:-}" ] || return 0
    if [ "${1:-}" = users ]; then
        say "creating the group iio and the user rigready"
        make_users || say "they could not be created: as root, groupadd --system --force iio"
    fi
    if command -v udevadm >/dev/null && [ -S /run/udev/control ]; then
        say "reloading udev's rules"
        { as_root udevadm control --reload &&
            as_root udevadm trigger --action=change --subsystem-match=iio --subsystem-match=gnss --subsystem-match=tty &&
            as_root udevadm trigger --action=change --subsystem-match=input --property-match=ID_INPUT_ACCELEROMETER=1 &&
            as_root udevadm settle --timeout=10; } ||
            say "udev did not reload its rules: as root, udevadm control --reload && udevadm trigger --action=change"
        [ "${1:-}" = users ] || give_back
    else
        say "udev does not run here; it reads the rules when it starts"
    fi
    if [ -d /run/systemd/system ] && command -v systemctl >/dev/null; then
        as_root systemctl daemon-reload || true
        # A running service would continue with the previous program.
        [ "${1:-}" != users ] || as_root systemctl try-restart rigready.service ||
            say "the service was not restarted: as root, systemctl restart rigready"
    fi
}
