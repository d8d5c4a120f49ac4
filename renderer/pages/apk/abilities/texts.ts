// English texts of this room. Knows nothing of where they are shown.

export const functionalitiesTexts = {
  SMS: 'SMS',
  MMS: 'MMS',
  ads: 'Advertising',
  accounts: 'Accounts',
  browser_history: 'Browser history',
  camera: 'Camera',
  crypto: 'Cryptography',
  dynamicbroadcastreceiver: 'Dynamic receivers',
  iccid: 'SIM serial number',
  imei: 'IMEI',
  imsi: 'IMSI',
  installedapplications: 'Installed apps',
  mcc: 'Network operator',
  phonecall: 'Phone calls',
  phonenumber: 'Phone number',
  runbinary: 'Runs programs',
  sensor: 'Sensors',
  serialno: 'Serial number',
  socket: 'Network',
  ssl: 'TLS',
} as Record<string, string>;
