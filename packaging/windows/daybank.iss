; Inno Setup 6: an installer for one person, without administrator rights.
;   iscc /DVersion=0.1.0 packaging\windows\daybank.iss        from the project's folder, after the bundle
; A newer one replaces an older one in place. Removing it leaves notes, settings and models.

#ifndef Version
  #error Say which version: iscc /DVersion=...
#endif

[Setup]
; The id makes an upgrade find what is installed. It never changes.
AppId={{6E1B7C52-93C9-4E0B-8C53-1B7D8F0A2D41}
AppName=Daybank
AppVersion={#Version}
AppVerName=Daybank {#Version}
AppPublisher=The Daybank contributors
DefaultDirName={localappdata}\Programs\Daybank
DefaultGroupName=Daybank
DisableProgramGroupPage=yes
DisableDirPage=auto
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
WizardStyle=modern
SourceDir=..\..
OutputDir=dist
OutputBaseFilename=daybank-{#Version}-windows-x64-setup
SetupIconFile=build\build\daybank.ico
UninstallDisplayIcon={app}\daybank-desktop.exe
LicenseFile=LICENSE
Compression=lzma2/max
SolidCompression=yes
; A Daybank that runs is asked to close, and its files are not replaced under it.
CloseApplications=yes
RestartApplications=no
ChangesEnvironment=yes
ChangesAssociations=yes
VersionInfoVersion={#Version}

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "es"; MessagesFile: "compiler:Languages\Spanish.isl"
Name: "ru"; MessagesFile: "compiler:Languages\Russian.isl"

[Tasks]
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked
Name: "path"; Description: "Use the command “daybank” in a terminal"; Flags: unchecked

[InstallDelete]
; Libraries that the newer version has no more must not stay beside it.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "dist\daybank\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs
Source: "THIRD_PARTY_LICENSES"; DestDir: "{app}"; DestName: "THIRD_PARTY_LICENSES.txt"; Flags: ignoreversion
Source: "LICENSE"; DestDir: "{app}"; DestName: "LICENSE.txt"; Flags: ignoreversion

[Icons]
Name: "{group}\Daybank"; Filename: "{app}\daybank-desktop.exe"; AppUserModelID: "org.daybank.Daybank"
Name: "{autodesktop}\Daybank"; Filename: "{app}\daybank-desktop.exe"; Tasks: desktopicon; AppUserModelID: "org.daybank.Daybank"

[Registry]
; Offered under “Open with” for Markdown; what opens it by default stays as it is.
Root: HKCU; Subkey: "Software\Classes\Daybank.Markdown"; ValueType: string; ValueData: "Markdown"; Flags: uninsdeletekey
Root: HKCU; Subkey: "Software\Classes\Daybank.Markdown\shell\open\command"; ValueType: string; ValueData: """{app}\daybank-desktop.exe"" ""%1"""
Root: HKCU; Subkey: "Software\Classes\.md\OpenWithProgids"; ValueType: string; ValueName: "Daybank.Markdown"; ValueData: ""; Flags: uninsdeletevalue
; The app writes this when starting at login is switched on; it goes with the app.
Root: HKCU; Subkey: "Software\Microsoft\Windows\CurrentVersion\Run"; ValueType: none; ValueName: "Daybank"; Flags: uninsdeletevalue dontcreatekey

[Run]
Filename: "{app}\daybank-desktop.exe"; Description: "{cm:LaunchProgram,Daybank}"; Flags: nowait postinstall skipifsilent

[Code]
const
  Environment = 'Environment';

function WithoutApp(Paths: string): string;
begin
  Result := ';' + Paths + ';';
  StringChangeEx(Result, ';' + ExpandConstant('{app}') + ';', ';', True);
  while (Length(Result) > 0) and (Result[1] = ';') do
    Delete(Result, 1, 1);
  while (Length(Result) > 0) and (Result[Length(Result)] = ';') do
    Delete(Result, Length(Result), 1);
end;

procedure ChangePath(Add: Boolean);
var
  Paths: string;
begin
  if not RegQueryStringValue(HKEY_CURRENT_USER, Environment, 'Path', Paths) then
    Paths := '';
  Paths := WithoutApp(Paths);
  if Add then begin
    if Paths <> '' then
      Paths := Paths + ';';
    Paths := Paths + ExpandConstant('{app}');
  end;
  RegWriteExpandStringValue(HKEY_CURRENT_USER, Environment, 'Path', Paths);
end;

procedure CurStepChanged(CurStep: TSetupStep);
begin
  if (CurStep = ssPostInstall) and WizardIsTaskSelected('path') then
    ChangePath(True);
end;

procedure CurUninstallStepChanged(CurUninstallStep: TUninstallStep);
begin
  if CurUninstallStep = usPostUninstall then
    ChangePath(False);
end;
