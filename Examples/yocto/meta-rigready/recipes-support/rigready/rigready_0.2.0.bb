SUMMARY = "Tells which telematics services can run on a rig, and why not"
DESCRIPTION = "Probes motion sensors (IIO), Bluetooth controllers and location receivers (gpsd), asks each for a sample, \
               and judges thirteen telematics services by what they require. This recipe installs a built program."
AUTHOR = "The RigReady authors"
HOMEPAGE = "https://git.example.org/rigready"
BUGTRACKER = "https://git.example.org/rigready/issues"
SECTION = "console/utils"
LICENSE = "Apache-2.0 & Apache-2.0-with-Swift-exception & GPL-3.0-with-GCC-exception"
NO_GENERIC_LICENSE[Apache-2.0-with-Swift-exception] = "COPYRIGHT"
LIC_FILES_CHKSUM = "file://LICENSE;md5=3b83ef96387f14655fc854ddc3c6bd57 \
                    file://COPYRIGHT;md5=61753e03b93510c6478543c448a6220e"

DEPENDS = "libyaml udev zlib"

# The folder of the archives that Scripts/package --tarball makes.
RIGREADY_ARCHIVES ?= "${TOPDIR}/rigready"
RIGREADY_ARCHITECTURE:aarch64 = "arm64"
RIGREADY_ARCHITECTURE:x86-64 = "amd64"
SRC_URI = "file://${RIGREADY_ARCHIVES}/rigready-${PV}-linux-${RIGREADY_ARCHITECTURE}.tar.gz"

S = "${WORKDIR}/rigready-${PV}-linux-${RIGREADY_ARCHITECTURE}"

inherit bash-completion features_check systemd useradd

COMPATIBLE_HOST = "(aarch64|x86_64).*-linux"
REQUIRED_DISTRO_FEATURES = "systemd"

SYSTEMD_SERVICE:${PN} = "rigready.service"
SYSTEMD_AUTO_ENABLE:${PN} = "disable"

USERADD_PACKAGES = "${PN}"
GROUPADD_PARAM:${PN} = "--system iio"
USERADD_PARAM:${PN} = "--system --user-group --groups iio --home-dir / --no-create-home --shell /sbin/nologin rigready"

# The archive's program has no symbols left to split off.
INHIBIT_PACKAGE_DEBUG_SPLIT = "1"
INHIBIT_PACKAGE_STRIP = "1"

do_configure[noexec] = "1"
do_compile[noexec] = "1"

do_install() {
    install -d ${D}${bindir} ${D}${nonarch_base_libdir}/udev/rules.d ${D}${systemd_system_unitdir}
    install -m 0755 ${S}/files/rigready ${D}${bindir}/rigready
    install -m 0644 ${S}/files/70-rigready-*.rules ${D}${nonarch_base_libdir}/udev/rules.d/
    sed "s:/usr/bin/rigready:${bindir}/rigready:g" ${S}/files/rigready.service > ${D}${systemd_system_unitdir}/rigready.service
    chmod 0644 ${D}${systemd_system_unitdir}/rigready.service

    install -d ${D}${mandir}/man1 ${D}${datadir}/bash-completion/completions
    install -m 0644 ${S}/files/rigready.1.gz ${D}${mandir}/man1/rigready.1.gz
    install -m 0644 ${S}/files/rigready.bash ${D}${datadir}/bash-completion/completions/rigready

    install -d ${D}${datadir}/rigready/schemas
    install -m 0644 ${S}/files/*.schema.json ${D}${datadir}/rigready/schemas/
}

# Opened at first use.
RRECOMMENDS:${PN} += "libiio libkmod libzstd systemd"
