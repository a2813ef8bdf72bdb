# Debian's packages of any suite and architecture, unpacked into folders: nothing is installed on this machine, no script
# of theirs is run, and no root is needed. apt checks each of them by the archive's signature. What was fetched
# stays in `debian_cache`.

debian_cache=${debian_cache:-$PWD/.build/debian}
debian_mirror=${RIGREADY_DEBIAN_MIRROR:-http://deb.debian.org}
debian_keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# debian_apt SUITE ARCHITECTURE WORDS…: apt-get with a state of its own, whose package list is empty, so that it fetches
# all that a package depends on
debian_apt() {
    local suite=$1 architecture=$2 apt=$debian_cache/$1-$2 line lines
    shift 2
    if [ ! -e "$apt/updated" ]; then
        rm -rf "$apt"
        mkdir -p "$apt"/{lists/partial,archives/partial}
        : >"$apt/status"
        lines=("debian $suite")
        [ "$suite" = sid ] || lines+=("debian $suite-updates" "debian-security $suite-security")
        for line in "${lines[@]}"; do
            echo "deb [arch=$architecture signed-by=$debian_keyring] $debian_mirror/$line main"
        done >"$apt/sources.list"
        cat >"$apt/apt.conf" <<CONFIGURATION
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Sandbox::User "";
APT::Install-Recommends "false";
Acquire::Retries "3";
Acquire::Languages "none";
Debug::NoLocking "true";
Dir::State "$apt";
Dir::State::lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt";
Dir::Cache::archives "$apt/archives";
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "-";
CONFIGURATION
        apt-get -c "$apt/apt.conf" -qq update >"$apt/log" 2>&1 && touch "$apt/updated" || return
    fi
    apt-get -c "$apt/apt.conf" -qq -y "$@" 2>>"$apt/log"
}

# debian_download SUITE ARCHITECTURE PACKAGE…: fetches them with all they depend on, and prints the paths of the files
debian_download() {
    local suite=$1 architecture=$2 apt=$debian_cache/$1-$2
    shift 2
    debian_apt "$suite" "$architecture" -d install "$@" >&2 || {
        # The archive has moved on, and what an old list names is no longer there.
        rm -f "$apt/updated"
        debian_apt "$suite" "$architecture" -d install "$@" >&2
    } || {
        tail -n 3 "$apt/log" >&2
        die "cannot fetch ${*} of Debian $suite for $architecture" 69
    }
    debian_apt "$suite" "$architecture" --print-uris -o Dir::Cache::archives="$apt/none" install "$@" |
        awk -v folder="$apt/archives/" '{ print folder $2 }'
}

# debian_unpack FOLDER FILE…: unpacks packages over one another, without their documents
debian_unpack() {
    local folder=$1 part file
    shift
    # Merged folders first: packages ship both /lib/x and /usr/lib/x, and the links must survive unpacking.
    mkdir -p "$folder"/usr/{bin,sbin,lib,lib64}
    for part in bin sbin lib lib64; do ln -sfn "usr/$part" "$folder/$part"; done
    for file in "$@"; do
        dpkg-deb --fsys-tarfile "$file" | tar -x --keep-directory-symlink -C "$folder" \
            --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' --exclude='./usr/share/locale/*'
    done
}

# debian_folder FOLDER SUITE ARCHITECTURE PACKAGE…: a folder with those packages and all they depend on
debian_folder() {
    local folder=$1 files
    shift
    files=$(debian_download "$@")
    mapfile -t files <<<"$files"
    debian_unpack "$folder" "${files[@]}"
}

# debian_installed DATABASE PREFIX FILE…: makes dpkg believe that those packages are installed below the prefix
debian_installed() {
    local database=$1 prefix=$2 file name
    shift 2
    mkdir -p "$database"/{info,updates}
    : >"$database/available"
    echo 1 >"$database/info/format"
    for file in "$@"; do
        dpkg-deb -f "$file" | sed '/^Package:/a Status: install ok installed' && echo
        name=$(dpkg-deb -f "$file" Package)
        ! dpkg-deb -f "$file" Multi-Arch | grep -qx same || name+=:$(dpkg-deb -f "$file" Architecture)
        dpkg-deb --fsys-tarfile "$file" | tar -t | sed "s:^\.:$prefix:; s:/\$::; s:^\$:/.:" >"$database/info/$name.list"
        # What dpkg-shlibdeps knows a library's versions from.
        dpkg-deb --ctrl-tarfile "$file" | tar -x -C "$database/info" --transform "s|^\./|$name.|" ./symbols ./shlibs 2>/dev/null || true
    done >"$database/status"
}
