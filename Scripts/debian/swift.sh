# Debian sid's Swift, in a folder of its own since it needs a newer C library than this machine may have. Read by cross,
# package and toolchains; it takes 0.9 GB of downloads and 3.5 GB below .build/debian.
source Scripts/debian/packages.sh
swift_folder=$debian_cache/swift

prepare_swift() {
    [ ! -e "$swift_folder/ready" ] || return 0
    install_packages debian-archive-keyring
    say "Fetching Debian sid's Swift into .build/debian"
    rm -rf "$swift_folder"
    debian_folder "$swift_folder" sid "$(dpkg --print-architecture)" swiftlang "${build_packages[@]}" g++ git ca-certificates bash \
        coreutils base-files
    ln -sfn bash "$swift_folder/usr/bin/sh"
    mkdir -p "$swift_folder"/{dev,proc,etc,root,tmp}
    chmod 1777 "$swift_folder/tmp"
    echo 'root:x:0:0:root:/root:/bin/bash' >"$swift_folder/etc/passwd"
    echo 'root:x:0:' >"$swift_folder/etc/group"
    # A package is fetched as on this machine; and the files of another user are no reason for git to refuse them.
    git config --system --list 2>/dev/null | grep '^url\..*\.insteadof=' | while IFS== read -r name value; do
        git config --file "$swift_folder/etc/gitconfig" --add "$name" "$value"
    done || true
    git config --file "$swift_folder/etc/gitconfig" safe.directory '*'
    in_swift swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' >"$swift_folder/version" || true
    [ -s "$swift_folder/version" ] || die "Debian sid's Swift does not run here" 69
    add_missing_library "$swift_folder/usr/libexec/swift/lib"
    touch "$swift_folder/ready"
}

# add_missing_library FOLDER: Debian's package has the module for attachments of Foundation's types, and not its library. No
# test uses one, but each that imports Foundation is linked with it: the folder's swift/linux gets an empty one.
add_missing_library() {
    local library=$1/swift/linux/lib_Testing_Foundation
    [ -e "$library.so" ] || [ -e "$library.a" ] || printf '!<arch>\n' >"$library.a"
}

# in_swift COMMAND…: there, as root of a namespace of its own; this folder is where it is here, also for git
in_swift() {
    local namespaces=(--mount --propagation private) folders
    [ "$(id -u)" = 0 ] || namespaces+=(--user --map-root-user)
    folders=$(git config --file "$swift_folder/etc/gitconfig" --name-only --get-regexp '^url\./' 2>/dev/null |
        sed 's/^url\.\(.*\)\.insteadof$/\1/' | sort -u) || true
    # A work tree's repository may be elsewhere.
    folders+=" $(git rev-parse --path-format=absolute --git-common-dir 2>/dev/null)" || true
    unshare "${namespaces[@]}" bash -ec '
        root=$1 folders=$2
        shift 2
        mount --rbind /dev "$root/dev"
        mount --rbind /proc "$root/proc"
        for folder in "$PWD" $folders /etc/ssl/certs /etc/resolv.conf; do
            [ -e "$folder" ] || continue
            if [ -d "$folder" ]; then mkdir -p "$root$folder"; else touch "$root$folder"; fi
            mount --bind "$folder" "$root$folder"
        done
        here=$PWD
        exec chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH=/usr/libexec/swift/bin:/usr/bin:/bin \
            bash -c "cd \"\$0\" && exec \"\$@\"" "$here" "$@"' in_swift "$swift_folder" "$folders" "$@" </dev/null
}
