// What each finding means, in words for the analyst. Imports nothing but more of such texts.
import { formatFindingTexts } from './format-finding-texts.ts';

export interface FindingText {
  /** One line: what was found. */
  readonly title: string;
  /** Why it matters, and what is ordinary about it. */
  readonly description: string;
}

const texts: Readonly<Record<string, FindingText>> = {
  'analysis-incomplete': {
    title: 'Part of the analysis failed',
    description:
      'This part of the file could not be read; the rest of the report stands. Damage on purpose hides code from tools that give up.',
  },
  'report-cut': {
    title: 'A list was cut',
    description: 'There was more of this than a report can hold.',
  },
  'arsc-reference-cycle': {
    title: 'Resources refer to each other in a circle',
    description: 'Tools that follow references without a limit hang on this; Android stops after some steps.',
  },
  'zip-duplicate-entry': {
    title: 'Two files have the same name',
    description: 'Android refuses such an archive; older versions verified one file and ran the other.',
  },
  'zip-encrypted-flag': {
    title: 'A file is marked as encrypted',
    description: 'Android ignores the mark, many tools stop at it: a common trick against analysis.',
  },
  'zip-unknown-method': {
    title: 'A file has an unknown compression method',
    description: 'Android reads it nevertheless, many tools do not: a common trick against analysis.',
  },
  'zip-bomb': {
    title: 'The archive unpacks to far too much',
    description: 'It would fill the memory of a tool that has no limit.',
  },
  'zip-dex-prefix': {
    title: 'The archive is a DEX file as well (Janus)',
    description: 'CVE-2017-13156: code before the archive is run by Android 5 to 8.0 and not covered by JAR signing.',
  },
  'zip-bad-start': {
    title: 'The file does not begin with a local header',
    description: 'Android refuses such an archive.',
  },
  'zip-local-header-mismatch': {
    title: "A file's two headers disagree",
    description:
      'Android goes by the directory where methods or marks of encryption differ, and does not open the file where names, sizes or checksums do. Tools that read the wrong one see something else.',
  },
  'zip-overlapping-entries': {
    title: 'Files overlap in the archive',
    description: 'The same bytes are used more than once, as in a flat ZIP bomb.',
  },
  'zip-size-mismatch': {
    title: 'A file does not have its declared size',
    description: 'Android goes by one of the numbers, some tools by the other.',
  },
  'zip-crc-mismatch': {
    title: 'A file does not have its declared checksum',
    description: 'Android does not check it; the file was changed after packing.',
  },
  'zip-trailing-data': {
    title: "Data follow the archive's end",
    description: 'Something is appended that belongs to no file.',
  },
  'zip-entry-truncated': {
    title: 'A file is cut off',
    description: 'The archive ends before the file does.',
  },
  'zip-name-encoding': {
    title: "A file's name is not valid UTF-8",
    description: 'Android refuses such a name.',
  },
  'zip-bad-zip64-field': {
    title: 'Extended sizes are missing or wrong',
    description: 'The directory announces 64-bit numbers that are not there.',
  },
  'package-split': {
    title: 'The file is a part of an app',
    description: 'It installs only together with its base APK, which has the rest of the app.',
  },
  'package-base': {
    title: 'The app needs further APKs',
    description: 'It does not install alone; code, resources or native libraries may stand in the others.',
  },
  'package-overlay': {
    title: "The package changes another one's resources",
    description: 'Texts, pictures and settings of the target are shown as this package has them.',
  },
  'package-library': {
    title: 'The package is a library for other apps',
    description: 'Its code runs inside the apps that use it.',
  },
  'package-system-module': {
    title: 'The file is a system module (APEX)',
    description: 'It is no app: its content is a file system image that the platform mounts.',
  },
  'package-unbuilt': {
    title: 'The file is what apps are built from',
    description: 'A module of an app bundle or a library for developers; no device installs it.',
  },
  'package-resources-layout': {
    title: 'The resource table is compressed or not aligned',
    description: 'Android 11 and newer refuse to install an app like this that targets them; older versions run it.',
  },
  'package-library-layout': {
    title: 'A native library cannot be used where it stands',
    description:
      'The manifest has libraries stay in the archive, where they must be neither compressed nor off the borders of pages: devices of its ABI refuse the app.',
  },
  'axml-plain-text': {
    title: 'XML as text instead of binary XML',
    description: 'Android cannot read it.',
  },
  'axml-protobuf': {
    title: 'XML in the form of app bundles',
    description: 'APKs have to be built from it first; Android cannot read it.',
  },
  'dex-checksum': {
    title: "A DEX file's checksum is wrong",
    description: 'It was changed after it was built; Android recomputes nothing and may refuse it.',
  },
  'dex-signature': {
    title: "A DEX file's own hash is wrong",
    description: 'It was changed after it was built, for example by a packer.',
  },
  'dex-version': {
    title: 'Unknown DEX version',
    description: 'Android may refuse the file.',
  },
  'dex-hidden-api': {
    title: "Flags of hidden interfaces in an app's DEX",
    description: "Only the platform's own files have them.",
  },
  'dex-code-truncated': {
    title: 'Code runs past the end of its file',
    description: 'The method cannot be run; possibly filled in at run time by a packer.',
  },
  'dex-code-overrun': {
    title: 'An instruction runs past the end of its method',
    description: 'Seen in damaged or obfuscated code.',
  },
  'dex-offset-outside': {
    title: 'A DEX offset points outside the file',
    description: 'Damaged on purpose or cut off.',
  },
  'elf-upx-packed': {
    title: 'A native library is packed with UPX',
    description: 'Its real code appears only in memory.',
  },
  'elf-abi-mismatch': {
    title: "A native library lies in another processor's folder",
    description: 'It cannot be loaded from there.',
  },
  'elf-writable-code': {
    title: 'A native library has code that can be written',
    description: 'Typical of packers that unpack themselves.',
  },
  'elf-text-relocations': {
    title: 'A native library changes its own code while it is loaded',
    description: 'Refused by Android 6 and later.',
  },
  'elf-no-section-headers': {
    title: 'A native library has no section headers',
    description: 'Stripped to slow down disassemblers; the loader does not need them.',
  },
  'content-disguised': {
    title: 'A program hides behind a harmless name',
    description: "The file's content runs or unpacks, its name says picture, text or sound.",
  },
  'content-embedded-dex': {
    title: "Dalvik code outside the app's own",
    description: 'It can be loaded at run time; packers, plug-ins and droppers do so.',
  },
  'content-embedded-apk': {
    title: 'An app inside the app',
    description: 'It can be installed or loaded at run time; droppers and plug-in frameworks do so.',
  },
  'content-embedded-elf': {
    title: 'Native code outside lib/',
    description: 'It can be copied and run at run time.',
  },
  'content-high-entropy': {
    title: 'An asset looks encrypted',
    description: 'Models and media look the same; payloads of packers do too.',
  },
  'manifest-debuggable': {
    title: 'The app can be debugged',
    description: 'Anyone with the device can read its data and run code in it. Released apps do not have this.',
  },
  'manifest-test-only': {
    title: 'The app is marked for testing',
    description: "It installs only through a developer's tools.",
  },
  'manifest-allow-backup': {
    title: "The app's data may be backed up",
    description: "Data can be read through a backup; this is the platform's default.",
  },
  'manifest-cleartext': {
    title: 'Unencrypted traffic is allowed',
    description: 'Connections without TLS can be read and changed on the way.',
  },
  'manifest-persistent': {
    title: 'The app asks to run all the time',
    description: 'Only system apps are granted this.',
  },
  'manifest-shared-user': {
    title: 'The app shares its user with other apps',
    description: "Apps of one signer share their data and permissions; android.uid.system is the system's own.",
  },
  'manifest-old-target': {
    title: 'The app is built for an old Android',
    description: 'Permissions are granted at installation without asking; malware stays old for that.',
  },
  'manifest-exported-activity': {
    title: 'Other apps can start this screen',
    description: 'Ordinary for screens that take links and shares.',
  },
  'manifest-exported-service': {
    title: 'Other apps can use this service',
    description: 'No permission guards it.',
  },
  'manifest-exported-receiver': {
    title: 'Other apps can send broadcasts to this receiver',
    description: 'Ordinary for events of the system.',
  },
  'manifest-exported-provider': {
    title: 'Other apps can read this provider',
    description: 'No permission guards its data.',
  },
  'manifest-export-undeclared': {
    title: 'A component does not say whether it is exported',
    description: 'Android 12 and later refuse to install such an app built for them.',
  },
  'manifest-weak-guard': {
    title: 'A permission that any app can hold guards a component',
    description: 'Normal and dangerous permissions are granted to whoever asks.',
  },
  'manifest-provider-grants': {
    title: 'A provider can grant access to its data',
    description: 'Access goes to apps that get a link from this one.',
  },
  'manifest-task-affinity': {
    title: 'A screen can be drawn into another task',
    description: 'Exported and single-task: a base for task hijacking on Android before 11.',
  },
  'manifest-accessibility-service': {
    title: 'Declares an accessibility service',
    description: 'It sees and operates other apps. Bankers depend on it; so do tools for the disabled.',
  },
  'manifest-device-admin': {
    title: 'Declares a device administrator',
    description: 'It can lock and wipe the device and resists being removed.',
  },
  'manifest-notification-listener': {
    title: 'Declares a notification listener',
    description: 'It reads all notifications, one-time codes included.',
  },
  'manifest-vpn-service': {
    title: 'Declares a VPN service',
    description: 'It can see all traffic of the device.',
  },
  'manifest-input-method': {
    title: 'Declares a keyboard',
    description: 'It sees what is typed.',
  },
  'manifest-call-screening': {
    title: 'Declares a call screening service',
    description: 'It sees and rejects calls.',
  },
  'manifest-sms-receiver': {
    title: 'Receives text messages',
    description: 'It sees messages as they arrive, one-time codes included; a high priority sees them first.',
  },
  'manifest-filter-priority': {
    title: 'An intent filter has an unusual priority',
    description: 'It wants to be served before others.',
  },
  'manifest-starts-at-boot': {
    title: 'Starts when the device starts',
    description: 'Ordinary for alarms and messengers.',
  },
  'manifest-deep-link': {
    title: 'Links open this screen',
    description: 'Data from the web reach it.',
  },
  'manifest-no-launcher': {
    title: 'The app has no icon',
    description: 'It runs without being seen. Plug-ins and system parts have none either.',
  },
  'manifest-without-ids': {
    title: 'The manifest has no resource map',
    description: 'Android would see no attributes; removed against analysis.',
  },
  'manifest-without-package': {
    title: 'The manifest names no package',
    description: 'Android refuses the app.',
  },
  'manifest-package-name': {
    title: "The app's package name is none that Android takes",
    description: 'It refuses the app; names with unusual characters or of great length are there to confuse tools.',
  },
  'manifest-second-application': {
    title: 'The manifest has several application elements',
    description: 'Android reads the first one, tools may read another.',
  },
  'manifest-second-uses-sdk': {
    title: 'The manifest names its platform versions several times',
    description: 'Android goes by the last uses-sdk element, tools may go by another.',
  },
  'manifest-text-limit': {
    title: 'The manifest repeats long texts',
    description: 'They sum up to more than any report can hold, as is meant to exhaust tools.',
  },
  'manifest-reference-name': {
    title: 'Something is asked for by a reference',
    description:
      'Android takes names of permissions, features and libraries from the manifest alone: the app does not get what tools that follow the reference show.',
  },
  'manifest-nameless-component': {
    title: 'A component has no name',
    description: 'Android refuses the app.',
  },
  'permission-notable': {
    title: 'A permission few apps need',
    description: 'It reaches deep into the device or its data.',
  },
  'permission-mix-sms-network': {
    title: 'Reads text messages and has the network',
    description: 'The base of stealing one-time codes.',
  },
  'permission-mix-sms-trojan': {
    title: 'Receives and sends text messages, starts at boot, has the network',
    description: "The permissions of an SMS trojan; also those of a messenger that replaces the system's.",
  },
  'permission-mix-contacts-network': {
    title: 'Reads contacts or calls and has the network',
    description: 'Ordinary for messengers and dialers; else it is data collection.',
  },
  'permission-mix-spying': {
    title: 'Listens, locates, reads messages and contacts, has the network',
    description: 'Together these are the permissions of spyware.',
  },
  'permission-mix-overlay-usage': {
    title: 'Draws over other apps, sees which one is in front, starts at boot',
    description: 'The base of phishing overlays.',
  },
  'permission-mix-dropper': {
    title: 'Installs other apps and has the network',
    description: 'Stores, browsers and droppers do so.',
  },
  'network-config-cleartext': {
    title: 'The network configuration allows unencrypted traffic',
    description: 'Connections without TLS can be read and changed on the way.',
  },
  'network-config-user-authorities': {
    title: 'Certificate authorities of the user are trusted',
    description: "Whoever adds one to the device can read the app's traffic.",
  },
  'network-config-pinning': {
    title: 'Certificates are pinned',
    description: 'The app trusts only certain keys of its servers.',
  },
  'signature-missing': {
    title: 'The app is not signed',
    description: 'Android does not install it.',
  },
  'signature-fails': {
    title: 'The signature does not verify',
    description: 'The app was changed after it was signed, or signed wrongly; Android does not install it.',
  },
  'signature-v1-only': {
    title: 'Signed with the oldest scheme only',
    description: 'JAR signing covers single files, not the archive; Android 11 refuses it for apps built for it.',
  },
  'signature-debug-certificate': {
    title: 'Signed with a debug certificate',
    description: "Made by a developer's tools; not accepted by stores.",
  },
  'signature-public-key': {
    title: 'Signed with a key that everybody has',
    description: 'The private key is public: anyone can make an update of this app. Repackaged malware often uses it.',
  },
  'signature-rotated': {
    title: "The signer's key was rotated",
    description: 'The lineage proves that each key followed the one before.',
  },
  'signature-block-data': {
    title: 'The signing block holds unknown data',
    description:
      'No signature covers it, and it can be changed without a new one: a hiding place for settings or code.',
  },
  'signature-weak-key': {
    title: "The signer's key is short",
    description: '1024 bits are not considered safe any more.',
  },
  'signature-weak-algorithm': {
    title: 'The certificate uses an old hash',
    description: "Android does not check a certificate's own signature.",
  },
  'signature-expired': {
    title: 'The certificate has expired',
    description: 'Android does not look at the dates.',
  },
  'packer-packer': {
    title: 'Packed',
    description: 'The real code is unpacked at run time; static results describe the packer.',
  },
  'packer-protector': {
    title: 'Protected or obfuscated by a product',
    description: 'The app defends itself against analysis; banks and games do so too.',
  },
  'packer-tampering': {
    title: 'Repackaged with a known tool',
    description: 'The app was changed by somebody else than its author.',
  },
  'packer-payload': {
    title: 'Carries a known attack tool',
    description: 'Code of a remote control framework.',
  },
  'code-dynamic-loading': {
    title: 'Loads code at run time',
    description: "Code that is not in the app's own files can be run. Also done by libraries of ads and maps.",
  },
  'code-native-loading': {
    title: 'Loads native libraries',
    description: 'Ordinary for games, media and data bases.',
  },
  'code-native-methods': {
    title: 'Has native methods',
    description: 'Part of the app runs outside the Dalvik machine.',
  },
  'code-reflection': {
    title: 'Uses reflection',
    description: 'Calls are made by name. Ordinary in libraries; hides calls in malware.',
  },
  'code-run-command': {
    title: 'Runs commands',
    description: 'Programs are started in a shell.',
  },
  'code-send-sms': {
    title: 'Sends text messages',
    description: 'Messages may cost money or spread the app.',
  },
  'code-read-sms': {
    title: 'Reads stored text messages',
    description: 'One-time codes and private messages can be read.',
  },
  'code-abort-broadcast': {
    title: 'Stops broadcasts',
    description: 'Messages are kept from other apps: an SMS trojan hides its traces so on old versions.',
  },
  'code-device-admin': {
    title: "Uses a device administrator's powers",
    description: 'Locks, wipes, or changes the password: as ransomware does.',
  },
  'code-accessibility-action': {
    title: 'Operates other apps through accessibility',
    description: "Taps and gestures are made in the user's name.",
  },
  'code-screen-capture': {
    title: 'Records the screen',
    description: 'After the user agreed.',
  },
  'code-record-audio': {
    title: 'Records sound',
    description: "With the microphone's permission.",
  },
  'code-hide-icon': {
    title: 'Enables or disables components',
    description: "Used to hide the app's icon; ordinary in libraries that switch receivers on and off.",
  },
  'code-install-package': {
    title: 'Installs other apps',
    description: "Through the system's installer.",
  },
  'code-webview-javascript-interface': {
    title: "Web pages can call the app's code",
    description: 'Any page shown there can use the interface.',
  },
  'code-webview-ssl-errors': {
    title: 'Goes on after TLS errors in a web view',
    description: 'Connections can be intercepted.',
  },
  'code-webview-file-access': {
    title: 'Web pages can read files',
    description: "Local pages may read the app's files and any site.",
  },
  'code-webview-debugging': {
    title: 'Web views can be debugged',
    description: 'Should not be on in a released app.',
  },
  'code-all-hostnames': {
    title: 'Accepts certificates of any host',
    description: 'Connections can be intercepted.',
  },
  'code-weak-cipher': {
    title: 'Names a weak cipher',
    description: 'DES, RC4 and ECB mode do not protect data well.',
  },
  'code-root-check': {
    title: 'Looks for signs of root',
    description: 'Banks protect themselves so; malware looks before it acts.',
  },
  'code-root-command': {
    title: 'Runs commands as root',
    description: 'With root, everything on the device can be changed.',
  },
  'code-silent-install': {
    title: 'Installs or removes apps by command',
    description: 'Works only with root or as a system app; done by backdoors.',
  },
  'code-emulator-check': {
    title: 'Looks for signs of an emulator',
    description: 'Malware behaves well where it is watched.',
  },
  'code-debugger-check': {
    title: 'Looks for a debugger',
    description: 'Protection against analysis.',
  },
  'code-hook-check': {
    title: 'Looks for hooking tools',
    description: 'Protection against analysis.',
  },
  'code-world-accessible-file': {
    title: "Changes files' access rights",
    description: 'Files may become readable or executable for others.',
  },
  'code-clipboard': {
    title: 'Reads the clipboard',
    description: 'Passwords and addresses are often there; clippers replace them.',
  },
  'code-overlay': {
    title: 'Asks to draw over other apps',
    description: 'For chat heads and for phishing overlays.',
  },
  'code-accessibility-settings': {
    title: 'Leads to the accessibility settings',
    description: 'To have a service of its own switched on.',
  },
  'code-usage-access': {
    title: 'Sees which app is in front',
    description: 'Needed by overlays to know when to appear; by screen time tools too.',
  },
  'code-running-apps': {
    title: 'Lists running apps',
    description: 'On old versions this tells which app is in front.',
  },
  'code-kill-processes': {
    title: 'Ends other apps',
    description: 'Cleaners do so; so does malware with security apps.',
  },
  'code-location': {
    title: 'Locates the device',
    description: 'With the location permission.',
  },
  'code-contacts': {
    title: 'Reads contacts or calls',
    description: 'With their permission.',
  },
  'code-hidden-api-bypass': {
    title: 'Lifts the limits on hidden interfaces',
    description: 'Internal parts of Android can then be called.',
  },
  'code-telegram-bot': {
    title: 'Speaks to a Telegram bot',
    description: 'A favourite channel for stolen data.',
  },
  'code-lock-screen-off': {
    title: 'Turns the lock screen off',
    description: 'With its permission.',
  },
  'zip-path-traversal': {
    title: "A file's name leads out of its folder",
    description: 'Tools that unpack it without care write where the author wants.',
  },
  'zip-multiple-end-records': {
    title: 'The archive has several ends',
    description: 'Readers that begin elsewhere see another archive.',
  },
  'zip-entry-count-mismatch': {
    title: 'The archive declares another number of files',
    description: 'Android reads by its own rules; strict tools stop.',
  },
  'zip-special-name-as-folder': {
    title: 'A file is written as if it were a folder',
    description: 'A manifest or code named so makes tools look past it.',
  },
  'zip-file-and-folder': {
    title: 'A name is both file and folder',
    description: 'Tools that unpack to disk fail at it, on purpose.',
  },
  'zip-name-nul': {
    title: "A file's name holds a NUL",
    description: 'Tools cut the name there and mistake the file for another.',
  },
  'zip-long-name': {
    title: "A file's name is too long for a file system",
    description: 'Tools that unpack to disk fail at it, on purpose.',
  },
  'dex-code-limit': {
    title: 'Code is shared so much that scanning was stopped',
    description: 'Methods point at the same code over and over, to exhaust tools.',
  },
  'dex-table-outside': {
    title: 'A DEX table points outside the file',
    description: 'Damaged on purpose or cut off.',
  },
  'axml-too-deep': {
    title: 'XML is nested too deeply',
    description: 'Tools that recurse run out of stack; no real manifest is like this.',
  },
};

/** The text of a finding's code; a code that nobody has described reads as its own words. */
export function findingText(code: string): FindingText {
  if (Object.hasOwn(texts, code)) return texts[code]!;
  const format = Object.hasOwn(formatFindingTexts, code) ? formatFindingTexts[code] : undefined;
  if (format !== undefined) return { title: format[0], description: format[1] };
  const words = code.replaceAll('-', ' ');
  return { title: words.charAt(0).toUpperCase() + words.slice(1), description: '' };
}

/** Codes that have a text. */
export const describedFindings = [...Object.keys(texts), ...Object.keys(formatFindingTexts)];
