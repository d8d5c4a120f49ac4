// What an app's code calls and names. Knows nothing of how it is found.
import { type FindingsOf, high, info, low, medium } from './row.ts';

export const codeFindings = {
  'code-dynamic-loading': low(
    'Loads code at run time',
    "Code that is not in the app's own files can be run. Also done by libraries of ads and maps.",
  ),
  'code-native-loading': info('Loads native libraries', 'Ordinary for games, media and databases.'),
  'code-native-methods': info('Has native methods', 'Part of the app runs as machine code.'),
  'code-reflection': info('Uses reflection', 'Calls are made by name. Ordinary in libraries; hides calls in malware.'),
  'code-run-command': low('Runs commands', 'Programs are started in a shell.', 'T1623'),
  'code-send-sms': medium('Sends text messages', 'Messages may cost money or spread the app.', 'T1582'),
  'code-read-sms': medium(
    'Reads stored text messages',
    'One-time codes and private messages can be read.',
    'T1636.004',
  ),
  'code-abort-broadcast': medium(
    'Stops broadcasts',
    'Other apps do not get the message. On old versions SMS trojans hide their traces this way.',
  ),
  'code-device-admin': medium(
    "Uses a device administrator's powers",
    'Locks, wipes, or changes the password: as ransomware does.',
    'T1626.001',
  ),
  'code-accessibility-action': medium(
    'Operates other apps through accessibility',
    "Taps and gestures are made in the user's name.",
    'T1516',
  ),
  'code-screen-capture': low('Records the screen', 'The user has to agree first.', 'T1513'),
  'code-record-audio': info('Records sound', 'Needs the microphone permission.', 'T1429'),
  'code-hide-icon': low(
    'Enables or disables components',
    "Used to hide the app's icon; ordinary in libraries that switch receivers on and off.",
  ),
  'code-install-package': low('Installs other apps', "Through the system's installer."),
  'code-webview-javascript-interface': low(
    "Web pages can call the app's code",
    'Any page shown there can use the interface.',
    'CWE-749 MASVS-PLATFORM-2',
  ),
  'code-webview-debugging': info(
    'Web views can be debugged',
    'Should not be on in a released app.',
    'CWE-489 MASVS-PLATFORM-2',
  ),
  'code-root-check': info(
    'Looks for signs of root',
    'Banking apps do so to protect themselves, malware before it acts.',
  ),
  'code-root-command': medium('Runs commands as root', 'With root, everything on the device can be changed.'),
  'code-silent-install': high(
    'Installs or removes apps by command',
    'Works only with root or as a system app; done by backdoors.',
  ),
  'code-emulator-check': info(
    'Looks for signs of an emulator',
    'Malware behaves well where it may be watched.',
    'T1633.001',
  ),
  'code-debugger-check': info('Looks for a debugger', 'Protection against analysis.'),
  'code-hook-check': info('Looks for hooking tools', 'Protection against analysis.'),
  'code-clipboard': info(
    'Reads the clipboard',
    'Passwords and addresses are often there; clippers replace them.',
    'T1414',
  ),
  'code-overlay': info('Asks to draw over other apps', 'Used for chat heads and for phishing overlays.'),
  'code-accessibility-settings': low(
    'Opens the accessibility settings',
    'So that the user switches its own service on.',
  ),
  'code-usage-access': info(
    'Sees which app is in front',
    'Needed by overlays to know when to appear; by screen time tools too.',
  ),
  'code-running-apps': info('Lists running apps', 'On old versions this tells which app is in front.', 'T1424'),
  'code-kill-processes': info('Ends other apps', 'Cleaners do so; so does malware with security apps.'),
  'code-location': info('Locates the device', 'Needs the location permission.', 'T1430'),
  'code-contacts': info('Reads contacts or calls', 'Needs their permissions.'),
  'code-hidden-api-bypass': medium('Lifts the limits on hidden APIs', 'Internal parts of Android can then be called.'),
  'code-telegram-bot': high('Contacts a Telegram bot', 'A favourite channel for stolen data.'),
  'code-lock-screen-off': info('Turns the lock screen off', 'Needs a permission of its own.'),
} satisfies FindingsOf<'code'>;
