// The owner's contacts, messages, calls and places: the data that spyware is after. Knows no machine.

export interface Contact {
  readonly id: number;
  readonly name: string;
  readonly phone: string;
  readonly email: string;
}

export interface TextMessage {
  readonly id: number;
  readonly address: string;
  readonly body: string;
  /** Milliseconds before the world's date. */
  readonly age: number;
  /** 1 in the inbox, 2 sent. */
  readonly type: number;
}

export interface PhoneCall {
  readonly id: number;
  readonly number: string;
  readonly name: string;
  readonly age: number;
  /** Seconds. */
  readonly duration: number;
  /** 1 incoming, 2 outgoing, 3 missed. */
  readonly type: number;
}

export interface InstalledApp {
  readonly packageName: string;
  readonly label: string;
  readonly version: string;
  readonly isSystem: boolean;
}

const hour = 3_600_000;
const day = 24 * hour;

/** When the simulated day begins: a weekday morning, in the years in which most samples were written to act. */
export const worldStart = Date.UTC(2026, 5, 16, 7, 42, 13);

export const contacts: readonly Contact[] = [
  { id: 1, name: 'Anna Brandt', phone: '+491729968533', email: 'anna.brandt@example.org' },
  { id: 2, name: 'Jonas Keller', phone: '+491729968534', email: 'j.keller@example.com' },
  { id: 3, name: 'Mama', phone: '+493023125010', email: 'familie.lorenz@example.net' },
  { id: 4, name: 'Dr. Weiss Praxis', phone: '+493023125044', email: 'praxis@example.org' },
  { id: 5, name: 'Tobias Lorenz', phone: '+491729968535', email: 'tobias.lorenz@example.com' },
  { id: 6, name: 'Voicemail', phone: '+491725550000', email: '' },
];

export const messages: readonly TextMessage[] = [
  { id: 1, address: '+491729968533', body: 'Bist du um sieben da? Bring Brot mit', age: 2 * hour, type: 1 },
  { id: 2, address: '+491729968533', body: 'Ja, bis dann', age: 2 * hour - 60_000, type: 2 },
  { id: 3, address: 'Sparbank', body: 'Ihre TAN lautet 483920. Betrag 120,00 EUR', age: day, type: 1 },
  { id: 4, address: '+491729968534', body: 'Danke fuer gestern, war super', age: 3 * day, type: 1 },
  { id: 5, address: '22000', body: 'Your verification code is 719204', age: 6 * day, type: 1 },
];

export const calls: readonly PhoneCall[] = [
  { id: 1, number: '+493023125010', name: 'Mama', age: 5 * hour, duration: 412, type: 1 },
  { id: 2, number: '+491729968534', name: 'Jonas Keller', age: day, duration: 65, type: 2 },
  { id: 3, number: '+493023125044', name: 'Dr. Weiss Praxis', age: 2 * day, duration: 0, type: 3 },
];

export const accounts: readonly { readonly name: string; readonly type: string }[] = [
  { name: 'l.lorenz.berlin@example.com', type: 'com.google' },
  { name: 'lena.lorenz', type: 'com.whatsapp' },
];

export const browserPages: readonly {
  readonly title: string;
  readonly url: string;
  readonly age: number;
  readonly bookmark: boolean;
}[] = [
  { title: 'Sparbank Online-Banking', url: 'https://www.sparbank.example/login', age: day, bookmark: true },
  { title: 'Wetter Berlin', url: 'https://wetter.example/berlin', age: 3 * hour, bookmark: false },
  { title: 'Fahrplan', url: 'https://bahn.example/fahrplan?von=Berlin', age: 2 * day, bookmark: true },
];

export const calendarEvents: readonly { readonly id: number; readonly title: string; readonly place: string }[] = [
  { id: 1, title: 'Zahnarzt', place: 'Torstrasse 12, Berlin' },
  { id: 2, title: 'Team-Treffen', place: 'Buero' },
];

export const installedApps: readonly InstalledApp[] = [
  { packageName: 'android', label: 'Android-System', version: '9', isSystem: true },
  { packageName: 'com.android.vending', label: 'Google Play Store', version: '15.6.22-all', isSystem: true },
  { packageName: 'com.google.android.gms', label: 'Google Play-Dienste', version: '17.4.55', isSystem: true },
  { packageName: 'com.android.chrome', label: 'Chrome', version: '74.0.3729.157', isSystem: true },
  { packageName: 'com.android.settings', label: 'Einstellungen', version: '9', isSystem: true },
  { packageName: 'com.android.phone', label: 'Telefon', version: '9', isSystem: true },
  { packageName: 'com.samsung.android.messaging', label: 'Nachrichten', version: '5.0.10', isSystem: true },
  {
    packageName: 'com.sec.android.app.launcher',
    label: 'Samsung Experience Start',
    version: '10.0.04',
    isSystem: true,
  },
  { packageName: 'com.android.systemui', label: 'System-UI', version: '9', isSystem: true },
  { packageName: 'com.android.providers.contacts', label: 'Kontaktspeicher', version: '9', isSystem: true },
  {
    packageName: 'com.android.providers.telephony',
    label: 'Telefon- und Nachrichtenspeicher',
    version: '9',
    isSystem: true,
  },
  { packageName: 'com.android.providers.media', label: 'Medienspeicher', version: '9', isSystem: true },
  { packageName: 'com.android.providers.downloads', label: 'Download-Manager', version: '9', isSystem: true },
  { packageName: 'com.android.bluetooth', label: 'Bluetooth', version: '9', isSystem: true },
  { packageName: 'com.android.nfc', label: 'NFC-Dienst', version: '9', isSystem: true },
  { packageName: 'com.google.android.gsf', label: 'Google-Dienste-Framework', version: '9', isSystem: true },
  {
    packageName: 'com.google.android.webview',
    label: 'Android System WebView',
    version: '74.0.3729.157',
    isSystem: true,
  },
  { packageName: 'com.google.android.youtube', label: 'YouTube', version: '14.21.54', isSystem: true },
  { packageName: 'com.google.android.apps.maps', label: 'Maps', version: '10.16.1', isSystem: true },
  { packageName: 'com.google.android.packageinstaller', label: 'Paket-Installer', version: '9', isSystem: true },
  { packageName: 'com.samsung.android.dialer', label: 'Telefon', version: '10.0.02', isSystem: true },
  { packageName: 'com.samsung.android.contacts', label: 'Kontakte', version: '10.1.22', isSystem: true },
  { packageName: 'com.sec.android.app.camera', label: 'Kamera', version: '9.0.0', isSystem: true },
  { packageName: 'com.sec.android.gallery3d', label: 'Galerie', version: '10.2.00', isSystem: true },
  { packageName: 'com.sec.android.inputmethod', label: 'Samsung-Tastatur', version: '3.3.22', isSystem: true },
  { packageName: 'com.whatsapp', label: 'WhatsApp', version: '2.19.134', isSystem: false },
  { packageName: 'com.facebook.katana', label: 'Facebook', version: '222.0.0.48.113', isSystem: false },
  { packageName: 'com.spotify.music', label: 'Spotify', version: '8.5.4.770', isSystem: false },
  { packageName: 'de.sparbank.mobile', label: 'Sparbank', version: '4.2.1', isSystem: false },
];

/** What a person types into a field, told from the field's purpose. */
export const typedText = {
  password: 'Sommer!2019',
  email: 'l.lorenz.berlin@example.com',
  phone: '+491729968532',
  number: '4711',
  card: '4111111111111111',
  name: 'Lena Lorenz',
  text: 'Guten Morgen',
} as const;

const walk = [
  [52.520008, 13.404954],
  [52.520912, 13.407211],
  [52.522406, 13.410138],
  [52.523711, 13.413402],
  [52.521512, 13.416027],
] as const;

/** Where the phone is after so many milliseconds: a walk through a city, a point each half minute. */
export function placeAt(elapsed: number): { latitude: number; longitude: number; altitude: number } {
  const [latitude, longitude] = walk[Math.floor(elapsed / 30_000) % walk.length]!;
  return { latitude, longitude, altitude: 34.5 };
}

/** Files on the shared storage. */
export const sharedFiles: Readonly<Record<string, string>> = {
  'DCIM/Camera/20190614_183012.jpg': '\u00ff\u00d8\u00ff\u00e0\u0000\u0010JFIF\u0000\u0001',
  'DCIM/Camera/20190615_091544.jpg': '\u00ff\u00d8\u00ff\u00e0\u0000\u0010JFIF\u0000\u0001',
  'Download/Rechnung_Mai.pdf': '%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n',
  'WhatsApp/Databases/msgstore.db.crypt12': '\u0000\u0001\u0002',
  'Documents/Notizen.txt': 'Einkaufen: Brot, Milch\nWLAN Buero: sommer19\n',
  'Music/.nomedia': '',
};
