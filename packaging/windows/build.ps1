# Builds dist\daybank-VERSION-windows-x64-setup.exe. Needs $env:PYTHON with the libraries of
# packaging\requirements-build.lock, and Inno Setup 6 (iscc on the path).
$ErrorActionPreference = "Stop"
Set-Location (Join-Path $PSScriptRoot "..\..")
$python = if ($env:PYTHON) { $env:PYTHON } else { ".venv\Scripts\python.exe" }
if (-not $env:SOURCE_DATE_EPOCH) { $env:SOURCE_DATE_EPOCH = git log -1 --format=%ct }
$env:PYTHONHASHSEED = "1"
$version = & $python -c "import tomllib; print(tomllib.load(open('pyproject.toml', 'rb'))['project']['version'])"

& $python -m PyInstaller --noconfirm --log-level WARN build.spec
if ($LASTEXITCODE) { exit $LASTEXITCODE }
& dist\daybank\daybank.exe --self-check
if ($LASTEXITCODE) { exit $LASTEXITCODE }
& iscc /Q "/DVersion=$version" packaging\windows\daybank.iss
exit $LASTEXITCODE
