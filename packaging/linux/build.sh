#!/bin/bash
# Builds what Linux installs: dist/daybank_VERSION_ARCH.deb and dist/daybank-VERSION-linux-ARCH.tar.xz.
#
#   packaging/linux/build.sh [--keep-bundle] [--only-deb | --only-tarball]
#
# Needs a Python with the libraries of packaging/requirements-build.lock ($PYTHON, else .venv's), and
# of Debian: binutils dpkg-dev xz-utils. --keep-bundle takes dist/daybank as it is.
# The same commit gives the same file list: times come from SOURCE_DATE_EPOCH, else from the commit.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
python=${PYTHON:-$root/.venv/bin/python}
bundle=yes deb=yes tarball=yes
for word in "$@"; do
    case $word in
        --keep-bundle) bundle=no ;;
        --only-deb) tarball=no ;;
        --only-tarball) deb=no ;;
        *) echo "“$word” is not understood; see the first lines of $0." >&2; exit 2 ;;
    esac
done
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export PYTHONHASHSEED=1 LC_ALL=C.UTF-8 TZ=UTC QT_QPA_PLATFORM=offscreen
umask 022
version=$("$python" -c 'import tomllib; print(tomllib.load(open("pyproject.toml", "rb"))["project"]["version"])')
machine=$(uname -m)
stage=$root/build/linux
rm -rf "$stage" && mkdir -p "$stage"

if [ "$bundle" = yes ]; then
    "$python" -m PyInstaller --noconfirm --log-level WARN build.spec
fi
dist/daybank/daybank --self-check

echo "Icons, manual pages, desktop entry"
share=$stage/share
mkdir -p "$share/applications" "$share/metainfo" "$share/doc/daybank"
"$python" packaging/icons.py "$share/icons/hicolor"
"$python" packaging/manpage.py "$share/man/man1"
gzip -9n "$share"/man/man1/*.1
cp packaging/linux/daybank.desktop "$share/applications/"
sed "s/@VERSION@/$version/; s/@DATE@/$(date -d "@$SOURCE_DATE_EPOCH" +%F)/" \
    packaging/linux/org.daybank.Daybank.metainfo.xml > "$share/metainfo/org.daybank.Daybank.metainfo.xml"
cp LICENSE "$share/doc/daybank/copyright"
gzip -9nc THIRD_PARTY_LICENSES > "$share/doc/daybank/THIRD_PARTY_LICENSES.gz"
"$python" packaging/linux/system_copyrights.py dist/daybank "$share/doc/daybank/system-libraries"
gzip -9nc CHANGELOG.md > "$share/doc/daybank/CHANGELOG.md.gz"

in_order() { # a tar of what is in a folder: sorted, owned by root, with one time
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
        --mode=u+w,go=rX --format=gnu -C "$1" -cf - "$2"
}

if [ "$tarball" = yes ]; then
    name=daybank-$version-linux-$machine
    place=$stage/tarball/$name
    mkdir -p "$place"
    cp -a dist/daybank "$place/app"
    cp -a "$share" "$place/share"
    cp -a packaging/linux/install.sh packaging/linux/uninstall.sh LICENSE THIRD_PARTY_LICENSES "$place/"
    in_order "$stage/tarball" "$name" | xz -T2 -6 > "dist/$name.tar.xz"
    echo "dist/$name.tar.xz: $(du -m "dist/$name.tar.xz" | cut -f1) MB"
fi

if [ "$deb" = yes ]; then
    architecture=$(dpkg --print-architecture)
    place=$stage/deb
    mkdir -p "$place/usr/lib" "$place/usr/bin" "$place/DEBIAN"
    cp -a dist/daybank "$place/usr/lib/daybank"
    cp -a "$share" "$place/usr/share"
    for program in daybank daybank-desktop; do
        ln -s "../lib/daybank/$program" "$place/usr/bin/$program"
    done
    # Debian keeps only programs executable; wheels mark their libraries too.
    find "$place/usr/lib/daybank/_internal" -type f -exec chmod 644 {} +
    printf 'daybank (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz beside this file.\n\n -- %s  %s\n' \
        "$version" "$(sed -n 's/^Maintainer: //p' packaging/linux/control.in)" \
        "$(date -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n > "$place/usr/share/doc/daybank/changelog.gz"
    mkdir -p "$place/usr/share/lintian/overrides"
    cp packaging/linux/lintian-overrides "$place/usr/share/lintian/overrides/daybank"
    size=$(du -sk --apparent-size "$place/usr" | cut -f1)
    depends=$("$python" packaging/linux/depends.py "$place/usr/lib/daybank")
    sed "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/; s/@SIZE@/$size/; s/@DEPENDS@/$depends/" \
        packaging/linux/control.in > "$place/DEBIAN/control"
    (cd "$place" && find usr -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums)
    find "$place" -newermt "@$SOURCE_DATE_EPOCH" -print0 | xargs -0r touch -h -d "@$SOURCE_DATE_EPOCH"
    dpkg-deb --root-owner-group -Zxz -z6 --threads-max=2 --build "$place" "dist/daybank_${version}_$architecture.deb"
fi
packaging/linux/file_list.sh dist/daybank > dist/daybank.files
