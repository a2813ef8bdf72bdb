# Installs the product's rules on this machine, and a bare Debian in which its package is installed.

RULES=/run/udev/rules.d
GROUPS_OF_USER=

# person UID NAME: adds a user name; what another scenario gave to either is removed
person() { sed -i "/^$2:/d; /^[^:]*:x:$1:/d" /etc/passwd; echo "$2:x:$1:$1::/:/bin/sh" >> /etc/passwd; }

# group_of NAME [MEMBER...]: a group with these members and no others; GROUP_NUMBER is its number
group_of() {
    local name=$1 members; shift
    members=$(echo "$*" | tr ' ' ',')
    grep -q "^$name:" /etc/group || echo "$name:x:$((900 + $(grep -c . /etc/group))):" >> /etc/group
    sed -i "s/^\($name:x:[0-9]*:\).*/\1$members/" /etc/group
    GROUP_NUMBER=$(sed -n "s/^$name:x:\([0-9]*\):.*/\1/p" /etc/group)
}

# install_rules: the product's own udev rules; creates their groups, and GROUPS_OF_USER lists them by number
install_rules() {
    local group
    GROUPS_OF_USER=
    for group in $(sed -n 's/.*GROUP="\([^"]*\)".*/\1/p' /share/udev-rules/*.rules | sort -u); do
        group_of "$group"
        GROUPS_OF_USER=${GROUPS_OF_USER:+$GROUPS_OF_USER,}$GROUP_NUMBER
    done
    put_rules /share/udev-rules/*.rules
    reload_rules
}

# complaints DEVICE: the messages of udev's parser about the product's rules; the device is any in sysfs
complaints() { udevadm test --action=add "$1" 2>&1 | grep -E "^$RULES/70-rigready[^ ]*:[0-9]+" || true; }

DEBIAN=/run/debian
# debian_start: starts the bare Debian with its own udevd in place of this machine's
debian_start() {
    [ -e /host/debian.tar ] || die "this boot has no package"
    mkdir -p $DEBIAN /run/bench/own
    mount -t tmpfs tmpfs $DEBIAN
    tar -C $DEBIAN -xf /host/debian.tar || die "the bare Debian does not unpack"
    for folder in dev proc sys run share; do mount --rbind /$folder $DEBIAN/$folder; done
    udevadm control --exit
    wait_for 10 udev_ended || die "udevd does not end"
    inside /lib/systemd/systemd-udevd --daemon || die "the bare Debian's udevd does not start"
    inside udevadm trigger --action=add --subsystem-match=iio --subsystem-match=tty
    inside udevadm settle --timeout=20
}
udev_ended() { ! grep -qs '^systemd-udevd\|^udevadm' /proc/[0-9]*/comm; }
# inside COMMAND...: in the bare Debian, as root; through its own env, since busybox would run its own programs
inside() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 SYSTEMD_IGNORE_CHROOT=1 \
        DEBIAN_FRONTEND=noninteractive chroot $DEBIAN /usr/bin/env "$@"
}
# report_inside USER CASE [rigready arguments]: as that user with the groups of a new login, or those of $GROUPS_OF_USER
report_inside() {
    local user=$1 groups=--init-groups; shift
    [ -z "$GROUPS_OF_USER" ] || groups=--groups=$GROUPS_OF_USER
    RUNNER="chroot $DEBIAN /usr/bin/setpriv --reuid=$user --regid=$user $groups --inh-caps=-all --bounding-set=-all" report_with "$@"
}

debian_clean() {
    rm -rf /dev/iio
    mountpoint -q $DEBIAN || return 0
    udevadm control --exit || true
    wait_for 10 udev_ended || true
    for folder in share run sys proc dev; do umount -l $DEBIAN/$folder || true; done
    umount -l $DEBIAN
    /usr/lib/systemd-udevd --daemon
}
