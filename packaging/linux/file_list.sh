#!/bin/bash
# Prints every file of a folder with its SHA-256, in order; links with where they point.
# Two builds of one commit are compared with it:   diff <(file_list.sh A) <(file_list.sh B)
set -euo pipefail
cd "$1"
{
    find . -type f -print0 | xargs -0 sha256sum | sed 's|\(^[0-9a-f]*\)  \./|\1  |'
    find . -type l -printf 'link to %l  %P\n'
} | LC_ALL=C sort -k2
