# Builds for arm64 on an amd64 machine: Debian sid's Swift, which links against Debian 12's libraries for arm64. Read by
# cross, package and test-arm64.
source Scripts/debian/swift.sh
sdk=$debian_cache/sdk/rigready.artifactbundle
sysroot=$sdk/arm64/sysroot
triple=aarch64-linux-gnu

# What runs programs of that architecture here, and reads them.
cross_packages=(qemu-user binutils-$triple)
cross_runner=(qemu-aarch64 -L "$sysroot")
cross_shlibdeps=(env DEB_HOST_ARCH=arm64 dpkg-shlibdeps "--admindir=$sysroot/var/lib/dpkg" "-l$sysroot/usr/lib/$triple")

# prepare_sysroot: the libraries, as a Swift SDK, and what is known of their packages
prepare_sysroot() {
    local place
    if [ -s "$sdk/ready" ]; then
        # What is known of the packages has absolute paths, and the folder may have been moved.
        place=$(cat "$sdk/ready")
        [ "$place" = "$sysroot" ] || sed -i "s:^$place\(/\|\$\):$sysroot\1:" "$sysroot"/var/lib/dpkg/info/*.list
        echo "$sysroot" >"$sdk/ready"
        return
    fi
    [ "$(dpkg --print-architecture)" = amd64 ] || die "this machine is no amd64: build on it with Scripts/package" 69
    prepare_swift
    say "Fetching Debian 12's libraries for arm64 into .build/debian"
    rm -rf "$sdk"
    mkdir -p "$sysroot"
    local files swift folder file link packages=(libudev-dev libbluetooth-dev libyaml-dev zlib1g-dev libc6-dev libstdc++-12-dev
        libiio-dev libkmod-dev libmosquitto-dev libqrencode-dev libsystemd-dev libzstd-dev)
    files=$(debian_download bookworm arm64 "${packages[@]}" libiio0 libkmod2 libmosquitto1)
    mapfile -t files <<<"$files"
    debian_unpack "$sysroot" "${files[@]}"
    debian_installed "$sysroot/var/lib/dpkg" "$sysroot" "${files[@]}"
    # dpkg-shlibdeps asks for a library by the path where it is.
    sed -i "s:^$sysroot/lib/:$sysroot/usr/lib/:" "$sysroot"/var/lib/dpkg/info/*.list
    # Only the libraries of the compiler for arm64; the compiler is this machine's.
    swift=$debian_cache/swift-arm64
    rm -rf "$swift"
    files=$(debian_download sid arm64 swiftlang)
    mapfile -t files < <(grep -E '/(lib)?swiftlang_' <<<"$files")
    debian_unpack "$swift" "${files[@]}"
    for folder in swift swift_static clang; do mv "$swift/usr/libexec/swift/lib/$folder" "$sysroot/usr/lib/"; done
    rm -rf "$swift"
    add_missing_library "$sysroot/usr/lib"
    # Links to places outside lead there inside.
    find "$sysroot" -type l -lname '/*' | while read -r link; do ln -sfnr "$sysroot$(readlink "$link")" "$link"; done
    cat >"$sdk/info.json" <<'JSON'
{"schemaVersion": "1.0", "artifacts": {"debian-arm64": {"type": "swiftSDK", "version": "1", "variants":
 [{"path": "arm64", "supportedTriples": ["x86_64-unknown-linux-gnu", "x86_64-pc-linux-gnu"]}]}}}
JSON
    cat >"$sdk/arm64/swift-sdk.json" <<'JSON'
{"schemaVersion": "4.0", "targetTriples": {"aarch64-unknown-linux-gnu": {"sdkRootPath": "sysroot",
 "swiftResourcesPath": "sysroot/usr/lib/swift", "swiftStaticResourcesPath": "sysroot/usr/lib/swift_static",
 "toolsetPaths": ["toolset.json"]}}}
JSON
    echo '{"schemaVersion": "1.0", "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld"]}}' >"$sdk/arm64/toolset.json"
    # What sid's static library asks for and Debian 12's do not have.
    in_swift bash -ec '
        flags=(--target=aarch64-unknown-linux-gnu --sysroot="$1" -Os -fPIC -ffunction-sections -Wall -Werror)
        clang "${flags[@]}" -std=gnu11 -fno-builtin -c Scripts/debian/newer-symbols.c -o /tmp/symbols.o
        clang++ "${flags[@]}" -c Scripts/debian/stream-start.cpp -o /tmp/streams.o
        llvm-ar rcs "$1/usr/lib/swift_static/linux/libnewersymbols.a" /tmp/symbols.o /tmp/streams.o' - "$sysroot"
    sed -i 's/^-lswiftCore$/&\n-lnewersymbols/' "$sysroot/usr/lib/swift_static/linux/static-stdlib-args.lnk"
    echo "$sysroot" >"$sdk/ready"
}

# build_cross WORDS…: runs Swift's builder for arm64, in .build-arm64
build_cross() {
    in_swift env PKG_CONFIG_PATH= "PKG_CONFIG_LIBDIR=$sysroot/usr/lib/$triple/pkgconfig:$sysroot/usr/share/pkgconfig" \
        "PKG_CONFIG_SYSROOT_DIR=$sysroot" swift build --disable-sandbox --scratch-path .build-arm64 \
        --swift-sdks-path "$debian_cache/sdk" --swift-sdk debian-arm64 "$@"
}

# build_cross_tests: optimized, since emulated code without optimization takes many times as long; their libraries have
# symbols of a newer C library, which is there when they run
build_cross_tests() { build_cross --build-tests -Xswiftc -O -Xlinker --allow-shlib-undefined >&2; }

# build_cross_release: the program; prints its path
build_cross_release() {
    local flags
    prepare_sysroot
    say "Building rigready for arm64 (the first time takes a few minutes)"
    release_flags "$sysroot/usr/lib/gcc/$triple/12/libstdc++.a" .build-arm64/static
    build_cross -c release --product rigready "${flags[@]}" >&2 || die "the build failed"
    echo "$PWD/.build-arm64/aarch64-unknown-linux-gnu/release/rigready"
}
