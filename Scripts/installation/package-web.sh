# Builds the Debian package rigready-web. Read by package, whose variables it uses.

if [ -z "$web_binary" ]; then
    say "Building rigready-web (the first time takes ten minutes or more)"
    product=rigready-web build_release --scratch-path .build-web --traits "$web_traits" >/dev/null
    web_binary=.build-web/release/rigready-web
fi
[ -x "$web_binary" ] || die "$web_binary is not an executable" 66
Scripts/installation/check-libraries "$web_binary" >/dev/null ||
    die "$web_binary cannot be loaded by every system that it is for" 70
[ "$("$web_binary" --version)" = "$version" ] || die "$web_binary is not of version $version" 70

web=$work/web made=$work/made-web
mkdir -p "$web/DEBIAN" "$made" "$work/debian"
for shell in bash zsh fish; do "$web_binary" --generate-completion-script $shell >"$made/$shell"; done
sed -i '1{/^#!/d}' "$made"/{bash,fish}
"$web_binary" --experimental-dump-help | Scripts/installation/manual | gzip -9n >"$made/rigready-web.1.gz"
# The files of the page are in the program.
"$web_binary" --write-files "$made"

separate_symbols rigready-web "$web_binary" "$made/rigready-web"
install -D -m 755 "$made/rigready-web" "$web/usr/bin/rigready-web"
install -D -m 644 "$made/bash" "$web/usr/share/bash-completion/completions/rigready-web"
install -D -m 644 "$made/zsh" "$web/usr/share/zsh/vendor-completions/_rigready-web"
install -D -m 644 "$made/fish" "$web/usr/share/fish/vendor_completions.d/rigready-web.fish"
install -D -m 644 "$made/rigready-web.1.gz" "$web/usr/share/man/man1/rigready-web.1.gz"
install -D -m 644 Systemd/rigready-web.service "$web/usr/lib/systemd/system/rigready-web.service"
for file in Scripts/installation/cockpit/{manifest.json,index.html} "$made"/board.{css,js}; do
    install -D -m 644 "$file" "$web/usr/share/cockpit/rigready/$(basename "$file")"
done
for script in postinst prerm postrm; do
    install -m 755 "Scripts/installation/debian-web/$script" "$web/DEBIAN/$script"
done

documents=$web/usr/share/doc/rigready-web
mkdir -p "$documents"
cat >"$documents/copyright" <<EOF3
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: RigReady

Files: *
Copyright: 2026, the RigReady authors
License: Apache-2.0

Files: /usr/bin/rigready-web
Copyright: 2026, the RigReady authors
           2014-2026, Apple Inc. and the authors of Swift, SwiftNIO and its packages
           2021-2026, the Hummingbird authors
           1998-2026, the OpenSSL and BoringSSL authors
           1997-2026, Free Software Foundation, Inc.
License: Apache-2.0 and Apache-2.0-with-Swift-exception and GPL-3-with-GCC-exception and ISC
Comment: The program carries the Swift standard library, swift-foundation's essentials, swift-argument-parser and
 swift-system, which are Apache-2.0 with the Runtime Library Exception; Hummingbird, SwiftNIO and its packages,
 swift-collections, swift-async-algorithms, swift-http-types, swift-log and swift-service-lifecycle, which are
 Apache-2.0; BoringSSL, which is Apache-2.0 and ISC; and GCC's C++ standard library, which is GPL-3 with the GCC Runtime
 Library Exception.

$(awk 'BEGIN { RS = ""; ORS = "\n\n" } /^License: /' "$root/usr/share/doc/rigready/copyright")

License: ISC
 Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted,
 provided that the above copyright notice and this permission notice appear in all copies.
 .
 The software is provided "as is" and the author disclaims all warranties with regard to this software including all
 implied warranties of merchantability and fitness. In no event shall the author be liable for any special, direct,
 indirect, or consequential damages or any damages whatsoever resulting from loss of use, data or profits, whether in
 an action of contract, negligence or other tortious action, arising out of or in connection with the use or
 performance of this software.
EOF3
gzip -9n >"$documents/changelog.gz" <CHANGELOG.md
gzip -dc "$root/usr/share/doc/rigready/changelog.Debian.gz" | sed '1s/^rigready /rigready-web /' |
    gzip -9n >"$documents/changelog.Debian.gz"

overrides rigready-web "$web"

depends=$(cd "$work" && dpkg-shlibdeps -O -e"$web/usr/bin/rigready-web" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || die "dpkg-shlibdeps does not know the libraries of $web_binary" 70
cat >"$web/DEBIAN/control" <<EOF3
Package: rigready-web
Version: $version-$revision
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$web" | cut -f1)
Depends: $depends, rigready (>= $version), init-system-helpers (>= 1.52)
Suggests: cockpit, curl
Section: utils
Priority: optional
Description: page that shows what a rig can do, as it changes
 A page of the telematics services that can run on a rig, of the causes of those
 that cannot, and of its sensors, which follows the hardware as it comes and
 goes, and draws the signals of its sensors while somebody looks.
 .
 It listens on loopback unless asked, needs no root, and changes nothing.
EOF3
(cd "$web" && find usr -type f | sort | xargs md5sum) >"$web/DEBIAN/md5sums"
chmod 644 "$web"/DEBIAN/{control,md5sums}
find "$web" -exec touch -h -d "@$epoch" {} +
web_package=$(realpath "$output")/rigready-web_$version-${revision}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$web" "$web_package" >/dev/null
say "Built $(basename "$web_package"), $(du -h "$web_package" | cut -f1)"
echo "$web_package"
