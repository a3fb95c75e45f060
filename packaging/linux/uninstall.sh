#!/bin/sh
# Takes away what install.sh put there. Your notes, your settings and the search index stay.
set -eu
app=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$app/../.." && pwd)
if [ ! -f "$app/installed-files" ]; then
    echo "Nothing was installed from here: $app/installed-files is missing." >&2
    exit 2
fi
while IFS= read -r file; do rm -f "$prefix/$file"; done < "$app/installed-files"
find "$prefix/share/doc/daybank" -depth -type d -empty -delete 2>/dev/null || true
for name in daybank daybank-desktop; do
    if [ "$(readlink "$prefix/bin/$name" || true)" = "$app/$name" ]; then rm -f "$prefix/bin/$name"; fi
done
if command -v update-desktop-database >/dev/null; then
    update-desktop-database -q "$prefix/share/applications" || true
fi
rm -rf "$app"
echo "Daybank is removed. Your notes and your settings were left where they are."
