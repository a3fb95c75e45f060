#!/bin/sh
# Puts Daybank into your own folders (~/.local), or under PREFIX. No administrator is needed.
# Running it again, or that of a newer version, replaces what an earlier one put there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=${PREFIX:-$HOME/.local}
app=$prefix/lib/daybank

mkdir -p "$prefix/lib" "$prefix/bin" "$prefix/share"
rm -rf "$app.new"
cp -R "$here/app" "$app.new"
cp "$here/uninstall.sh" "$app.new/uninstall.sh"
rm -rf "$app.old"
if [ -e "$app" ]; then mv "$app" "$app.old"; fi
mv "$app.new" "$app"
rm -rf "$app.old"
for name in daybank daybank-desktop; do ln -sf "$app/$name" "$prefix/bin/$name"; done

# The list of what goes away again with uninstall.sh.
(cd "$here/share" && find . -type f) | sed "s|^\./|share/|" | sort > "$app/installed-files"
cp -R "$here/share/." "$prefix/share/"
# A desktop session may not look into ~/.local/bin, so the menu entry names the whole path.
program=$(printf '%s' "$prefix/bin/daybank-desktop" | sed 's/[&|\\]/\\&/g')
sed "s|^Exec=daybank-desktop|Exec=\"$program\"|; s|^TryExec=.*|TryExec=$program|" \
    "$here/share/applications/daybank.desktop" > "$prefix/share/applications/daybank.desktop"
if command -v update-desktop-database >/dev/null; then
    update-desktop-database -q "$prefix/share/applications" || true
fi

echo "Daybank is installed in $app."
case ":$PATH:" in
    *":$prefix/bin:"*) echo "Start it from the menu, or with: daybank-desktop" ;;
    *) echo "Start it from the menu, or with: $prefix/bin/daybank-desktop" ;;
esac
echo "To remove it again: $app/uninstall.sh"
