// Models of android.provider.Settings: how the phone is set up, and what the owner has allowed. Knows no provider.
import type { HeapObject, Taint, Value } from '../../machine/heap.ts';
import type { Machine, ModelClass, Models, NativeMethod } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { worldOf } from '../../world/world.ts';
import { appOf, type Permit } from '../components/app.ts';
import { each, plain, type Reference, yes } from '../model-parts.ts';

const R = 'Landroid/content/ContentResolver;';
const S = 'Ljava/lang/String;';

/** The app's services that the owner has let watch the phone, as the settings list them. */
const watching =
  (permit: Permit, permission: string) =>
  (machine: Machine): string => {
    const app = appOf(machine);
    if (!app.allowed.has(permit)) return '';
    const services = app.components.filter((component) => component.permission === permission);
    return services.map(({ name }) => `${app.packageName}/${name}`).join(':');
  };

const accessibility = watching(
  'android.settings.ACCESSIBILITY_SETTINGS',
  'android.permission.BIND_ACCESSIBILITY_SERVICE',
);

/** A text that never changes, or what makes it. */
const values: Readonly<Record<string, string | ((machine: Machine) => string)>> = {
  android_id: (machine) => worldOf(machine).device.androidId,
  adb_enabled: '0',
  development_settings_enabled: '0',
  mock_location: '0',
  install_non_market_apps: '0',
  airplane_mode_on: '0',
  bluetooth_name: (machine) => worldOf(machine).device.bluetooth.name,
  bluetooth_address: (machine) => worldOf(machine).device.bluetooth.mac,
  location_providers_allowed: 'gps,network',
  location_mode: '3',
  screen_brightness: '128',
  default_input_method: 'com.sec.android.inputmethod/.SamsungKeypad',
  enabled_accessibility_services: accessibility,
  accessibility_enabled: (machine) => (accessibility(machine) === '' ? '0' : '1'),
  enabled_notification_listeners: watching(
    'android.settings.ACTION_NOTIFICATION_LISTENER_SETTINGS',
    'android.permission.BIND_NOTIFICATION_LISTENER_SERVICE',
  ),
  sms_default_application: (machine) => appOf(machine).smsApp,
  device_name: (machine) => worldOf(machine).device.bluetooth.name,
  wifi_on: '1',
  auto_time: '1',
};

function setting(machine: Machine, name: string): string | null {
  if (!Object.hasOwn(values, name)) return null;
  const value = values[name]!;
  return typeof value === 'string' ? value : value(machine);
}

const taintOf = (machine: Machine, name: string): Taint =>
  name === 'android_id' ? machine.source('TAINT_DEVICE_SN', 'Settings.Secure.getString(android_id)') : 0;

const getNumber: NativeMethod = (machine, _resolver: Reference, name: Reference, otherwise = 0) => {
  const value = setting(machine, plain(machine, name));
  return value === null || Number.isNaN(Number(value)) ? otherwise : Number(value) | 0;
};

const put: NativeMethod = (machine, _resolver: Reference, name: Reference, value: Value) => {
  const text = value !== null && typeof value === 'object' ? plain(machine, value as HeapObject) : String(value);
  recorderOf(machine).event('settings', `set ${plain(machine, name)} to ${text}`);
  return 1;
};

const settings: ModelClass = {
  staticMethods: {
    [`getString(${R}${S})${S}`]: (machine, _resolver: Reference, name: Reference) => {
      const value = setting(machine, plain(machine, name));
      return value === null ? null : machine.string(value, taintOf(machine, plain(machine, name)));
    },
    ...each(getNumber, `getInt(${R}${S})I`, `getInt(${R}${S}I)I`),
    ...each(put, `putString(${R}${S}${S})Z`, `putInt(${R}${S}I)Z`),
  },
};

export const settingsModels: Models = {
  'Landroid/provider/Settings$Secure;': settings,
  'Landroid/provider/Settings$System;': settings,
  'Landroid/provider/Settings$Global;': settings,
  'Landroid/provider/Settings;': {
    staticMethods: each(yes, 'canDrawOverlays(Landroid/content/Context;)Z'),
  },
};
