#!/bin/bash
# Builds dist/Daybank-VERSION-ARCH.AppImage out of the bundle that build.sh made.
#
# Needs appimagetool (https://github.com/AppImage/appimagetool) on the path, or in $APPIMAGETOOL.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-.venv/bin/python}
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
version=$("$python" -c 'import tomllib; print(tomllib.load(open("pyproject.toml", "rb"))["project"]["version"])')
machine=$(uname -m)
folder=build/Daybank.AppDir
rm -rf "$folder" && mkdir -p "$folder/usr/lib"
cp -a dist/daybank "$folder/usr/lib/daybank"
cp -a build/linux/share "$folder/usr/share"
cp packaging/linux/daybank.desktop "$folder/"
cp resources/icons/daybank.svg "$folder/daybank.svg"
ln -s daybank.svg "$folder/.DirIcon"
cat > "$folder/AppRun" <<'RUN'
#!/bin/sh
# Started as "daybank" (a link of that name to the AppImage), or with DAYBANK_COMMAND set: the command.
here=$(dirname "$(readlink -f "$0")")
if [ "$(basename "${ARGV0:-}")" = daybank ] || [ -n "${DAYBANK_COMMAND:-}" ]; then
    exec "$here/usr/lib/daybank/daybank" "$@"
fi
exec "$here/usr/lib/daybank/daybank-desktop" "$@"
RUN
chmod +x "$folder/AppRun"
ARCH=$machine "${APPIMAGETOOL:-appimagetool}" --no-appstream "$folder" "dist/Daybank-$version-$machine.AppImage"
DAYBANK_COMMAND=1 "dist/Daybank-$version-$machine.AppImage" --appimage-extract-and-run --self-check
