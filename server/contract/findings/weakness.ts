// Weaknesses in an app's own code. Knows nothing of how it is found.
import { type FindingsOf, high, info, low, medium } from './row.ts';

export const weaknessFindings = {
  'weakness-cipher': medium(
    'Encrypts with a weak cipher or mode',
    'DES, RC4 and short blocks can be broken; ECB shows equal blocks as equal. AES in GCM mode protects and authenticates.',
    'CWE-327 MASVS-CRYPTO-1',
  ),
  'weakness-hash': low(
    'Uses a weak hash function',
    'Two inputs of one MD5 or SHA-1 hash can be made. Harmless for cache names, not for signatures and passwords.',
    'CWE-328 MASVS-CRYPTO-1',
  ),
  'weakness-constant-key': high(
    'The key is in the app',
    'Whoever has the APK can decrypt, or sign in the name of the app. Keys belong into the Android Keystore.',
    'CWE-321 MASVS-CRYPTO-2',
  ),
  'weakness-constant-iv': medium(
    'Encrypts with a constant initialization vector',
    'Equal messages become equal ciphertexts; in CTR and GCM mode two of them give the content away.',
    'CWE-329 CWE-1204 MASVS-CRYPTO-1',
  ),
  'weakness-key-derivation': medium(
    'Derives a key too cheaply',
    'With a constant salt or few rounds, passwords can be guessed for all users at once.',
    'CWE-760 CWE-916 MASVS-CRYPTO-2',
  ),
  'weakness-key-size': medium(
    'The key is too short',
    'It can be found by trying or by factoring.',
    'CWE-326 MASVS-CRYPTO-1',
  ),
  'weakness-seed': medium(
    'Seeds the random number generator with a known value',
    'What it generates can be computed again; before Android 4.2 nothing else went into it.',
    'CWE-335 MASVS-CRYPTO-1',
  ),
  'weakness-random': high(
    'Makes keys of guessable numbers',
    'java.util.Random and the time can be predicted. SecureRandom cannot.',
    'CWE-338 MASVS-CRYPTO-1',
  ),
  'weakness-keystore-password': low(
    "A key store's password is in the app",
    'Whoever gets the file can open it.',
    'CWE-798 MASVS-CRYPTO-2',
  ),
  'weakness-secret': high(
    'A secret of a service is in the app',
    'Whoever has the APK can use it. Keys that services make for apps are listed as information.',
    'CWE-798 MASVS-CRYPTO-2 MASVS-AUTH-1',
  ),
  'weakness-credential': medium(
    'What the user types is compared with a constant',
    'A password or code in the APK is known to everybody who has the APK.',
    'CWE-798 MASVS-AUTH-1',
  ),
  'weakness-sql': medium(
    'Builds SQL from input',
    'Input can change the statement. Arguments behind question marks cannot.',
    'CWE-89 MASVS-CODE-4',
  ),
  'weakness-command': high('Runs a command made of input', 'Input can run any other command.', 'CWE-78 MASVS-CODE-4'),
  'weakness-chosen-class': medium(
    'Another app chooses which class is loaded',
    'Classes that were never meant to be reached run with data of whoever asks.',
    'CWE-470 MASVS-CODE-4 MASVS-PLATFORM-1',
  ),
  'weakness-path-traversal': medium(
    'Another app chooses which file is opened',
    'A path with ../ leads to any file of the app.',
    'CWE-22 CWE-73 MASVS-CODE-4 MASVS-PLATFORM-1',
  ),
  'weakness-sms-input': medium(
    'Sends text messages that another app asks for',
    'Apps without the permission send messages through this one, at the cost of its user.',
    'CWE-441 CWE-926 MASVS-PLATFORM-1',
  ),
  'weakness-log': medium(
    'Writes private data to the log',
    'On old versions every app reads the log; on all of them support tools and crash reports do.',
    'CWE-532 MASVS-STORAGE-2',
  ),
  'weakness-world-accessible': high(
    'Makes a file that every app can open',
    'Other apps can read or change it. Since Android 7 such modes end the app.',
    'CWE-276 CWE-732 MASVS-STORAGE-1',
  ),
  'weakness-external-storage': low(
    'Writes to the shared storage',
    'Apps with the storage permission can read and change the file.',
    'CWE-921 MASVS-STORAGE-2',
  ),
  'weakness-code-from-storage': high(
    'Runs code from the shared storage',
    'Another app can put its own code there, which then runs as this one.',
    'CWE-494 CWE-829 MASVS-CODE-4',
  ),
  'weakness-foreign-code': medium(
    "Loads another package's code",
    'Whoever installs a package of that name runs code in this app.',
    'CWE-829 MASVS-CODE-4',
  ),
  'weakness-zip-traversal': medium(
    "Unpacks archives without checking the files' names",
    'A name with ../ writes outside the folder, over code and settings of the app.',
    'CWE-22 MASVS-CODE-4',
  ),
  'weakness-provider-traversal': high(
    'Other apps can read any file through a provider',
    'An address with ../ leads out of the folder that is shared.',
    'CWE-22 MASVS-PLATFORM-1',
  ),
  'weakness-pending-intent': medium(
    'Hands out a pending intent that can be changed',
    'It names no receiver and is mutable: whoever gets it can act with the permissions of this app.',
    'CWE-927 MASVS-PLATFORM-1',
  ),
  'weakness-intent-redirection': high(
    'Starts what another app asks for',
    'An intent inside an intent reaches components that are not exported.',
    'CWE-926 CWE-940 MASVS-PLATFORM-1',
  ),
  'weakness-page-intent': medium(
    'A page in a web view starts components of the app',
    'An intent:// address names any of them, unless component and selector are taken out of it.',
    'CWE-926 CWE-939 MASVS-PLATFORM-1 MASVS-PLATFORM-2',
  ),
  'weakness-implicit-broadcast': low(
    'Sends data to any app that listens',
    'Name the receiver or ask for a permission.',
    'CWE-927 MASVS-PLATFORM-1',
  ),
  'weakness-implicit-service': medium(
    'Starts a service by action alone',
    'Any app can answer; since Android 5 binding like this fails.',
    'CWE-927 MASVS-PLATFORM-1',
  ),
  'weakness-dynamic-receiver': medium(
    'A receiver that is registered at run time takes broadcasts of any app',
    'Neither a permission nor RECEIVER_NOT_EXPORTED guards it.',
    'CWE-925 MASVS-PLATFORM-1',
  ),
  'weakness-calling-permission': low(
    'Checks the permission of the wrong app',
    'With "or self" the check passes for every caller where this app has the permission.',
    'CWE-863 MASVS-PLATFORM-1',
  ),
  'weakness-fragment-injection': medium(
    'Other apps choose the fragment of a settings screen',
    'Any fragment of the app can be started, with the arguments of whoever asks.',
    'CWE-470 MASVS-PLATFORM-1',
  ),
  'weakness-trust-manager': high(
    'Accepts any TLS certificate',
    'Anybody on the way can read and change the traffic.',
    'CWE-295 MASVS-NETWORK-1',
  ),
  'weakness-hostname-verifier': high(
    "Accepts any server's certificate",
    'A valid certificate for any other name is enough to read and change the traffic.',
    'CWE-297 MASVS-NETWORK-1',
  ),
  'weakness-ssl-socket': medium(
    "Opens a TLS socket without checking the server's name",
    'An SSLSocket alone does not compare the certificate with the name.',
    'CWE-297 MASVS-NETWORK-1',
  ),
  'weakness-plain-http': low(
    'Opens an address without encryption',
    'Anybody on the way can read and change the traffic.',
    'CWE-319 MASVS-NETWORK-1',
  ),
  'weakness-webview-ssl-errors': high(
    'A web view goes on after TLS errors',
    'Anybody on the way can read and change the pages.',
    'CWE-295 MASVS-NETWORK-1 MASVS-PLATFORM-2',
  ),
  'weakness-webview-input': medium(
    'A web view shows what another app asks for',
    'Pages of an attacker run in the app, with its cookies and interfaces.',
    'CWE-749 CWE-79 MASVS-PLATFORM-2',
  ),
  'weakness-webview-settings': low(
    'A web view may read files or load mixed content',
    'A page that gets in can read files of the app or unencrypted scripts.',
    'CWE-200 CWE-749 MASVS-PLATFORM-2',
  ),
  'weakness-javascript-interface': high(
    'Pages reach every method of an object of the app',
    'Android before 4.2 gives pages all public methods, getClass() among them: any code can be run (CVE-2012-6636).',
    'CWE-749 MASVS-PLATFORM-2',
  ),
  'weakness-plain-storage': medium(
    'Keeps a password or token as it is',
    'Whoever gets the device, its backup or root reads it. The Android Keystore encrypts what has to be kept.',
    'CWE-312 CWE-522 MASVS-STORAGE-1',
  ),
  'weakness-clipboard': low(
    'Copies private data to the clipboard',
    'Every app in front reads it; before Android 10 all apps do.',
    'CWE-200 MASVS-STORAGE-2',
  ),
  'weakness-webview-scripts': info(
    'A web view runs scripts',
    'Ordinary for web pages; a page that gets in can do more.',
    'CWE-79 MASVS-PLATFORM-2',
  ),
  'weakness-deserialization': low(
    'Makes objects of what comes from outside',
    'Other apps or the network choose the class: its code runs when the object is read or dropped.',
    'CWE-502 MASVS-CODE-4',
  ),
  'weakness-result-intent': medium(
    'Gives the intent of another app back to it',
    'With it go permissions to read files of this app that the other one has named in it.',
    'CWE-441 CWE-926 MASVS-PLATFORM-1',
  ),
  'weakness-tapjacking': low(
    'A password screen takes touches through other windows',
    'Another app can lay a window over it and lead what is tapped. android:filterTouchesWhenObscured refuses that.',
    'CWE-1021 MASVS-PLATFORM-3',
  ),
  'weakness-open-port': low(
    'Listens on the network',
    'Every device of the network, and every app, can connect.',
    'CWE-1327 MASVS-NETWORK-1',
  ),
  'weakness-biometric': low(
    'Asks for a finger or face without a key',
    'The answer is a yes that a hook can give as well. A CryptoObject unlocks a key that is of use only afterwards.',
    'CWE-287 MASVS-AUTH-2',
  ),
  'weakness-plain-socket': low(
    'Connects without encryption',
    'Anybody on the way can read and change what is sent.',
    'CWE-319 MASVS-NETWORK-1',
  ),
  'weakness-host-check': medium(
    'Holds an address against a part of it',
    "Somebody else's host may end with, begin with or contain the same text.",
    'CWE-20 CWE-346 MASVS-CODE-4 MASVS-PLATFORM-2',
  ),
  'weakness-webview-permission': medium(
    'Any page in a web view gets what it asks for',
    'Place, camera or microphone, without the user being asked.',
    'CWE-284 CWE-359 MASVS-PLATFORM-2',
  ),
  'weakness-http-authentication': medium(
    'A web view logs in wherever it is asked to',
    'Any server that a page names gets user and password.',
    'CWE-522 MASVS-AUTH-1 MASVS-PLATFORM-2',
  ),
  'weakness-deputy': medium(
    'Another app chooses what is done with the rights of this one',
    'Settings, files, permissions or addresses are taken from its intent as they are.',
    'CWE-441 CWE-926 MASVS-PLATFORM-1',
  ),
  'weakness-foreign-file': medium(
    'Opens a file that another app names',
    'The address may lead to a file of this app, which is then shown, sent or copied.',
    'CWE-73 CWE-441 MASVS-PLATFORM-1',
  ),
  'weakness-unchecked-broadcast': low(
    'A receiver does not look at what it receives',
    'Any app sends it an intent by name, and it takes that for an event of the system.',
    'CWE-925 MASVS-PLATFORM-1',
  ),
  'weakness-old-tls': medium(
    'Speaks an old version of TLS, or with weak ciphers',
    'SSL 3, TLS 1.0 and 1.1 and ciphers without key, name or strength can be broken on the way.',
    'CWE-326 CWE-327 MASVS-NETWORK-1',
  ),
  'weakness-external-input': low(
    'Reads from the shared storage',
    'Apps with the storage permission can change what is read.',
    'CWE-73 CWE-346 MASVS-CODE-4',
  ),
  'weakness-cloud-address': info(
    'Names a database or store in the cloud',
    'Look whether it asks who reads and writes; many do not.',
    'CWE-200 CWE-284 MASVS-STORAGE-1',
  ),
} satisfies FindingsOf<'weakness'>;
