#!/bin/bash
# Builds dist/daybank-VERSION-macos-ARCH.dmg; signed and notarised where the names for it are set.
#
#   DAYBANK_CODESIGN_IDENTITY   "Developer ID Application: …", in the keychain
#   DAYBANK_NOTARY_PROFILE      made once with: xcrun notarytool store-credentials NAME
#
# Without them the app runs after a right-click and "Open". Needs $PYTHON with the libraries of
# packaging/requirements-build.lock, and Xcode's command-line tools.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-.venv/bin/python}
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)} PYTHONHASHSEED=1
version=$("$python" -c 'import tomllib; print(tomllib.load(open("pyproject.toml", "rb"))["project"]["version"])')
app=dist/Daybank.app
image=dist/daybank-$version-macos-$(uname -m).dmg

"$python" -m PyInstaller --noconfirm --log-level WARN build.spec
"$app/Contents/MacOS/daybank" --self-check

if [ -n "${DAYBANK_CODESIGN_IDENTITY:-}" ]; then
    # PyInstaller has signed what is inside with the same name; the whole is signed last.
    codesign --force --deep --options runtime --timestamp \
        --entitlements packaging/macos/entitlements.plist --sign "$DAYBANK_CODESIGN_IDENTITY" "$app"
    codesign --verify --deep --strict --verbose=2 "$app"
fi

stage=build/dmg
rm -rf "$stage" "$image" && mkdir -p "$stage"
cp -R "$app" "$stage/"
cp THIRD_PARTY_LICENSES "$stage/Licences.txt"
ln -s /Applications "$stage/Applications"
hdiutil create -volname "Daybank $version" -srcfolder "$stage" -fs HFS+ -format UDZO -quiet "$image"

if [ -n "${DAYBANK_NOTARY_PROFILE:-}" ]; then
    codesign --sign "$DAYBANK_CODESIGN_IDENTITY" --timestamp "$image"
    xcrun notarytool submit "$image" --keychain-profile "$DAYBANK_NOTARY_PROFILE" --wait
    xcrun stapler staple "$image"
    spctl --assess --type open --context context:primary-signature --verbose "$image"
fi
echo "$image"
