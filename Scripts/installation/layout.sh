# The files of an installation and their destinations. Read by the scripts that install, and part of the tarball, whose
# installer is for any POSIX shell.

# layout PREFIX: a line for each file: its mode, its name among the files that `prepare` makes, and its destination
layout() {
    local prefix=$1 zsh=$1/share/zsh/site-functions system=$1/lib schema
    case $prefix in
    /usr) zsh=/usr/share/zsh/vendor-completions ;;
    /usr/local) ;;
    # udev, sysusers and systemd read only /usr, /usr/local and /etc.
    *) system=/etc ;;
    esac
    cat <<LAYOUT
755 rigready $prefix/bin/rigready
644 70-rigready-iio.rules $system/udev/rules.d/70-rigready-iio.rules
644 70-rigready-gnss.rules $system/udev/rules.d/70-rigready-gnss.rules
644 70-rigready-evdev.rules $system/udev/rules.d/70-rigready-evdev.rules
644 sysusers.conf $system/sysusers.d/rigready.conf
644 rigready.bash $prefix/share/bash-completion/completions/rigready
644 rigready.zsh $zsh/_rigready
644 rigready.fish $prefix/share/fish/vendor_completions.d/rigready.fish
644 rigready.1.gz $prefix/share/man/man1/rigready.1.gz
644 rigready.service $system/systemd/system/rigready.service
LAYOUT
    for schema in audit comparison configuration consent fleet grants history manifest measurement permissions policy recording report rights \
        sensors services; do
        echo "644 $schema.schema.json $prefix/share/rigready/schemas/$schema.schema.json"
    done
}
