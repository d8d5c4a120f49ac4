// The simulated phone: one that is sold in shops, with a SIM card in it. Knows no machine and no internet.

/** The check digit that Luhn's formula adds. */
export function withLuhnDigit(digits: string): string {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits + String((10 - (sum % 10)) % 10);
}

/** System properties and `android.os.Build` agree with each other, as emulator checks compare them. */
export interface Device {
  readonly sdk: number;
  readonly release: string;
  readonly build: Readonly<Record<string, string>>;
  readonly imei: string;
  readonly imsi: string;
  readonly iccid: string;
  readonly lineNumber: string;
  readonly voiceMailNumber: string;
  readonly networkOperator: string;
  readonly networkOperatorName: string;
  readonly networkCountry: string;
  readonly androidId: string;
  readonly serial: string;
  readonly advertisingId: string;
  readonly wifi: { readonly mac: string; readonly ssid: string; readonly bssid: string; readonly ip: string };
  readonly bluetooth: { readonly mac: string; readonly name: string };
  readonly cell: { readonly lac: number; readonly cid: number };
  readonly screen: { readonly width: number; readonly height: number; readonly density: number };
  readonly locale: { readonly language: string; readonly country: string };
  readonly timeZone: string;
  readonly totalMemory: number;
  readonly storage: { readonly blockSize: number; readonly blocks: number; readonly free: number };
  readonly sensors: readonly { readonly type: number; readonly name: string; readonly vendor: string }[];
}

const fingerprint = 'samsung/dreamltexx/dreamlte:9/PPR1.180610.011/G950FXXU5DSFB:user/release-keys';

export const phone: Device = {
  sdk: 28,
  release: '9',
  build: {
    BOARD: 'universal8895',
    BOOTLOADER: 'G950FXXU5DSFB',
    BRAND: 'samsung',
    CPU_ABI: 'arm64-v8a',
    CPU_ABI2: '',
    DEVICE: 'dreamlte',
    DISPLAY: 'PPR1.180610.011.G950FXXU5DSFB',
    FINGERPRINT: fingerprint,
    HARDWARE: 'samsungexynos8895',
    HOST: 'SWDH7723',
    ID: 'PPR1.180610.011',
    MANUFACTURER: 'samsung',
    MODEL: 'SM-G950F',
    PRODUCT: 'dreamltexx',
    RADIO: 'G950FXXU5DSF1',
    TAGS: 'release-keys',
    TYPE: 'user',
    USER: 'dpi',
  },
  imei: withLuhnDigit('35209008761234'),
  imsi: '262022904417735',
  iccid: withLuhnDigit('894920021904417735'),
  lineNumber: '+491729968532',
  voiceMailNumber: '+491725550000',
  networkOperator: '26202',
  networkOperatorName: 'Vodafone.de',
  networkCountry: 'de',
  androidId: 'c4d1f07a86b3e295',
  serial: 'RF8J91XKQ2W',
  advertisingId: '5b1f6c0e-93d2-4e7a-8f41-27c0ad9be613',
  wifi: { mac: '8c:f5:a3:4e:21:9b', ssid: 'FRITZ!Box 7530 LK', bssid: '3c:a6:2f:70:1d:e4', ip: '192.168.178.37' },
  bluetooth: { mac: '8C:F5:A3:4E:21:9A', name: 'Galaxy S8' },
  cell: { lac: 20831, cid: 45127681 },
  screen: { width: 1080, height: 2076, density: 3 },
  locale: { language: 'de', country: 'DE' },
  timeZone: 'Europe/Berlin',
  totalMemory: 3_843_379_200,
  storage: { blockSize: 4096, blocks: 14_155_776, free: 7_412_884 },
  sensors: [
    { type: 1, name: 'LSM6DSL Accelerometer', vendor: 'STMicroelectronics' },
    { type: 4, name: 'LSM6DSL Gyroscope', vendor: 'STMicroelectronics' },
    { type: 2, name: 'AK09916C Magnetometer', vendor: 'Asahi Kasei Microdevices' },
    { type: 5, name: 'TMD4906 Light', vendor: 'AMS' },
    { type: 8, name: 'TMD4906 Proximity', vendor: 'AMS' },
    { type: 6, name: 'LPS22H Barometer Sensor', vendor: 'STMicroelectronics' },
    { type: 3, name: 'Orientation Sensor', vendor: 'Samsung Electronics' },
    { type: 9, name: 'Gravity Sensor', vendor: 'Samsung Electronics' },
    { type: 10, name: 'Linear Acceleration Sensor', vendor: 'Samsung Electronics' },
    { type: 11, name: 'Rotation Vector Sensor', vendor: 'Samsung Electronics' },
    { type: 19, name: 'SAMSUNG Step Counter Sensor', vendor: 'Samsung Electronics' },
  ],
};

/** `getprop`. Any other name reads as empty, such as an emulator's `qemu.*` and `ro.kernel.qemu`. */
export const systemProperties: Readonly<Record<string, string>> = {
  'ro.build.version.sdk': String(phone.sdk),
  'ro.build.version.release': phone.release,
  'ro.build.fingerprint': fingerprint,
  'ro.build.tags': 'release-keys',
  'ro.build.type': 'user',
  'ro.build.id': phone.build.ID!,
  'ro.build.display.id': phone.build.DISPLAY!,
  'ro.product.model': phone.build.MODEL!,
  'ro.product.brand': phone.build.BRAND!,
  'ro.product.name': phone.build.PRODUCT!,
  'ro.product.device': phone.build.DEVICE!,
  'ro.product.board': phone.build.BOARD!,
  'ro.product.manufacturer': phone.build.MANUFACTURER!,
  'ro.product.cpu.abi': 'arm64-v8a',
  'ro.product.cpu.abilist': 'arm64-v8a,armeabi-v7a,armeabi',
  'ro.hardware': phone.build.HARDWARE!,
  'ro.bootloader': phone.build.BOOTLOADER!,
  'ro.serialno': phone.serial,
  'ro.boot.serialno': phone.serial,
  'ro.boot.verifiedbootstate': 'green',
  'ro.boot.flash.locked': '1',
  'ro.boot.selinux': 'enforcing',
  'ro.secure': '1',
  'ro.debuggable': '0',
  'ro.csc.country_code': 'Germany',
  'gsm.sim.operator.numeric': phone.networkOperator,
  'gsm.sim.state': 'READY',
  'gsm.version.baseband': phone.build.RADIO!,
  'persist.sys.timezone': phone.timeZone,
  'persist.sys.locale': 'de-DE',
  'net.dns1': '192.168.178.1',
  'init.svc.adbd': 'stopped',
};

/** Folders that phones have and emulators lack. */
export const systemFolders = [
  '/proc/uid_stat',
  '/sys/devices/virtual/ppp',
  '/sys/devices/virtual/switch',
  '/sys/module/alarm/parameters',
  '/sys/devices/virtual/misc/android_adb',
] as const;

/** Another phone's IMEI, short enough for an app that parses it as an `int`. */
export const shortImei = withLuhnDigit('00000172034556');

/** What is mounted where, as `mount` prints and `/proc/mounts` has it. */
export const mounts =
  '/dev/block/sda18 /system ext4 ro,seclabel,relatime 0 0\n/dev/block/dm-1 /data ext4 rw,seclabel 0 0\n';

/** The app's own process, main thread among its tasks. */
const ownStatus =
  'Name:\tapp_process\nState:\tR (running)\nTgid:\t14233\nPid:\t14233\nPPid:\t3412\nTracerPid:\t0\nUid:\t10217\t10217\t10217\t10217\n';

/** Files of the system that apps look for or read; emulators' own are not among them. */
export const systemFiles: Readonly<Record<string, string>> = {
  '/proc/cpuinfo': Array.from({ length: 8 }, (_, index) =>
    [
      `processor\t: ${index}`,
      'BogoMIPS\t: 52.00',
      'Features\t: fp asimd evtstrm aes pmull sha1 sha2 crc32',
      'CPU implementer\t: 0x53',
      'CPU architecture: 8',
      '',
    ].join('\n'),
  )
    .concat(['Hardware\t: Samsung EXYNOS8895', ''])
    .join('\n'),
  '/proc/meminfo': 'MemTotal:        3753300 kB\nMemFree:          184212 kB\nMemAvailable:    1630128 kB\n',
  '/proc/version':
    'Linux version 4.4.111-16019454 (dpi@SWDH7723) (gcc version 4.9.x 20150123) #1 SMP PREEMPT Mon Jun 10 18:06:51 KST 2019\n',
  '/proc/tty/drivers':
    '/dev/tty             /dev/tty        5       0 system:/dev/tty\nserial               /dev/ttySAC 204 64-69 serial\n',
  '/proc/self/status': ownStatus,
  '/proc/self/task/14233/status': ownStatus,
  '/proc/self/task/14233/comm': 'app_process\n',
  '/proc/mounts': mounts,
  '/proc/self/mounts': mounts,
  '/proc/self/mountinfo': '',
  '/proc/uptime': '412806.11 1903311.52\n',
  '/proc/loadavg': '2.31 2.12 2.05 3/1542 14260\n',
  '/proc/stat': 'cpu  1532112 80221 1102339 14022911 22107 0 40112 0 0 0\n',
  '/proc/net/unix': 'Num       RefCount Protocol Flags    Type St Inode Path\n',
  '/proc/net/arp': 'IP address       HW type     Flags       HW address            Mask     Device\n',
  '/sys/class/thermal/thermal_zone0/temp': '38000\n',
  '/proc/self/maps': '',
  '/proc/net/tcp': '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n',
  '/sys/class/net/wlan0/address': `${phone.wifi.mac}\n`,
  '/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq': '1690000\n',
  '/sys/devices/system/cpu/possible': '0-7\n',
  '/system/build.prop': Object.entries(systemProperties)
    .filter(([name]) => name.startsWith('ro.'))
    .map(([name, value]) => `${name}=${value}\n`)
    .join(''),
  '/system/etc/hosts': '127.0.0.1       localhost\n::1             ip6-localhost\n',
  '/system/bin/sh': '\u007fELF',
  '/system/bin/pm': '#!/system/bin/sh\ncmd package "$@"\n',
  '/system/bin/app_process': '\u007fELF',
  '/system/app/Chrome/Chrome.apk': 'PK',
};
