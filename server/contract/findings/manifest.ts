// What an app declares of itself. Knows nothing of how it is found.
import { type FindingsOf, high, info, low, medium } from './row.ts';

export const manifestFindings = {
  'manifest-debuggable': medium(
    'The app can be debugged',
    'Anyone with the device can read its data and run code in it. Released apps do not have this.',
    'CWE-489 MASVS-RESILIENCE-4',
  ),
  'manifest-test-only': info('The app is marked for testing', "It installs only through a developer's tools."),
  'manifest-allow-backup': info(
    "The app's data may be backed up",
    "Data can be read through a backup; this is the platform's default.",
    'CWE-530 MASVS-STORAGE-2',
  ),
  'manifest-cleartext': low(
    'Unencrypted traffic is allowed',
    'Connections without TLS can be read and changed on the way.',
    'CWE-319 MASVS-NETWORK-1',
  ),
  'manifest-persistent': low('The app asks to run all the time', 'Only system apps are granted this.'),
  'manifest-shared-user': info(
    'The app shares its user with other apps',
    "Apps of one signer share their data and permissions; android.uid.system is the system's own.",
  ),
  'manifest-old-target': low(
    'The app is built for an old Android',
    'Permissions are granted at installation without asking; malware targets old versions for that reason.',
  ),
  'manifest-exported-activity': info(
    'Other apps can start this screen',
    'Ordinary for screens that take links and shares.',
    'CWE-926 MASVS-PLATFORM-1',
  ),
  'manifest-exported-service': low(
    'Other apps can use this service',
    'No permission guards it.',
    'CWE-926 MASVS-PLATFORM-1',
  ),
  'manifest-exported-receiver': info(
    'Other apps can send broadcasts to this receiver',
    'Ordinary for events of the system.',
    'CWE-925 MASVS-PLATFORM-1',
  ),
  'manifest-exported-provider': medium(
    'Other apps can read this provider',
    'No permission guards its data.',
    'CWE-926 MASVS-PLATFORM-1',
  ),
  'manifest-export-undeclared': info(
    'A component does not say whether it is exported',
    'Android 12 and later refuse to install such an app built for them.',
  ),
  'manifest-weak-guard': low(
    'Any app can get the permission that guards a component',
    'Normal and dangerous permissions are granted to whoever asks.',
    'CWE-280 MASVS-PLATFORM-1',
  ),
  'manifest-undefined-guard': low(
    'Nobody defines the permission that guards a component',
    'Whichever app defines it first decides who gets it. Often the name is misspelt.',
    'CWE-280 MASVS-PLATFORM-1',
  ),
  'manifest-weak-permission': info(
    'The app defines a permission that any app gets',
    'What it guards is open to whoever asks; the level signature keeps it to apps of one signer.',
    'CWE-280 MASVS-PLATFORM-1',
  ),
  'manifest-provider-paths': medium(
    'A provider of files shares more than it needs',
    'Whoever is given an address, or makes the app give one, reads files that were never meant.',
    'CWE-276 CWE-552 MASVS-STORAGE-2 MASVS-PLATFORM-1',
  ),
  'manifest-secret-code': info(
    'A code that is dialled starts a part of the app',
    'Menus of makers and testers are opened like this; whoever has the phone can try them.',
    'CWE-912 MASVS-PLATFORM-1',
  ),
  'manifest-provider-grants': info(
    'A provider can grant access to its data',
    'Access goes to apps that get a link from this one.',
  ),
  'manifest-task-affinity': info(
    'A screen can be drawn into another task',
    'Single-task, of another affinity or going over to it: this allows task hijacking on Android before 11.',
    'CWE-1021 MASVS-PLATFORM-3',
  ),
  'manifest-accessibility-service': medium(
    'Declares an accessibility service',
    'It sees and operates other apps. Bankers depend on it; so do tools for the disabled.',
    'T1453',
  ),
  'manifest-device-admin': medium(
    'Declares a device administrator',
    'It can lock and wipe the device and resists being removed.',
    'T1626.001',
  ),
  'manifest-notification-listener': low(
    'Declares a notification listener',
    'It reads all notifications, one-time codes included.',
    'T1517',
  ),
  'manifest-vpn-service': low('Declares a VPN service', 'It can see all traffic of the device.'),
  'manifest-input-method': info('Declares a keyboard', 'It sees what is typed.'),
  'manifest-call-screening': info('Declares a call screening service', 'It sees and rejects calls.'),
  'manifest-sms-receiver': medium(
    'Receives text messages',
    'It sees messages as they arrive, one-time codes included; a high priority sees them first.',
    'T1636.004',
  ),
  'manifest-filter-priority': info('An intent filter has an unusual priority', 'It asks to be served before others.'),
  'manifest-starts-at-boot': info('Starts when the device starts', 'Ordinary for alarms and messengers.', 'T1624.001'),
  'manifest-deep-link': info('Links open this screen', 'Data from the web reach it.', 'CWE-939 MASVS-PLATFORM-1'),
  'manifest-no-launcher': low(
    'The app has no icon',
    'It runs without being seen. Plug-ins and system parts have none either.',
  ),
  'manifest-without-ids': medium(
    'The manifest has no resource map',
    'Without it Android finds no attributes; it was removed to hinder analysis.',
  ),
  'manifest-without-package': medium('The manifest names no package', 'Android refuses the app.'),
  'manifest-package-name': medium(
    'Android does not accept the package name',
    'Names with unusual characters or of great length are meant to confuse tools.',
  ),
  'manifest-second-application': medium(
    'The manifest has several application elements',
    'Android reads the first one, tools may read another.',
  ),
  'manifest-second-uses-sdk': medium(
    'The manifest names its platform versions several times',
    'Android goes by the last uses-sdk element, tools may go by another.',
  ),
  'manifest-text-limit': high(
    'The manifest repeats long texts',
    'Together they are more than any report can hold; meant to exhaust tools.',
  ),
  'manifest-reference-name': medium(
    'A permission, feature or library is named by a reference',
    'Android takes such names from the manifest alone: the app does not get what tools that follow the reference show.',
  ),
  'manifest-nameless-component': low('A component has no name', 'Android refuses the app.'),
  'permission-notable': medium('A permission few apps need', 'It reaches deep into the device or its data.'),
  'permission-mix-sms-network': medium(
    'Reads text messages and has the network',
    'Together these allow an app to steal one-time codes.',
  ),
  'permission-mix-sms-trojan': high(
    'Receives and sends text messages, starts at boot, has the network',
    "The permissions of an SMS trojan; also those of a messenger that replaces the system's.",
  ),
  'permission-mix-contacts-network': info(
    'Reads contacts or calls and has the network',
    'Ordinary for messengers and dialers; in other apps a sign of data collection.',
  ),
  'permission-mix-spying': medium(
    'Listens, locates, reads messages and contacts, has the network',
    'Together these are the permissions of spyware.',
  ),
  'permission-mix-overlay-usage': medium(
    'Draws over other apps, sees which one is in front, starts at boot',
    'Together these allow phishing overlays.',
  ),
  'permission-mix-dropper': low('Installs other apps and has the network', 'Stores, browsers and droppers do so.'),
  'network-config-cleartext': info(
    'The network configuration allows unencrypted traffic',
    'Connections without TLS can be read and changed on the way.',
    'CWE-319 MASVS-NETWORK-1',
  ),
  'network-config-user-authorities': medium(
    'Certificate authorities that the user adds are trusted',
    "Whoever adds one to the device can read the app's traffic.",
    'CWE-295 MASVS-NETWORK-1',
  ),
  'network-config-pinning': info('Certificates are pinned', 'The app trusts only certain keys of its servers.'),
} satisfies FindingsOf<'manifest' | 'permission' | 'network-config'>;
