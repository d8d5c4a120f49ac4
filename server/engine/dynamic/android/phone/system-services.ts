// Which class answers for which name of a system service. Knows no service's methods.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { appOf } from '../components/app.ts';

const serviceClasses: Readonly<Record<string, string>> = {
  phone: 'Landroid/telephony/TelephonyManager;',
  sms: 'Landroid/telephony/SmsManager;',
  telephony_subscription_service: 'Landroid/telephony/SubscriptionManager;',
  location: 'Landroid/location/LocationManager;',
  alarm: 'Landroid/app/AlarmManager;',
  jobscheduler: 'Landroid/app/job/JobScheduler;',
  notification: 'Landroid/app/NotificationManager;',
  connectivity: 'Landroid/net/ConnectivityManager;',
  wifi: 'Landroid/net/wifi/WifiManager;',
  bluetooth: 'Landroid/bluetooth/BluetoothManager;',
  power: 'Landroid/os/PowerManager;',
  keyguard: 'Landroid/app/KeyguardManager;',
  activity: 'Landroid/app/ActivityManager;',
  device_policy: 'Landroid/app/admin/DevicePolicyManager;',
  account: 'Landroid/accounts/AccountManager;',
  layout_inflater: 'Landroid/view/LayoutInflater;',
  window: 'Landroid/view/WindowManagerImpl;',
  clipboard: 'Landroid/content/ClipboardManager;',
  sensor: 'Landroid/hardware/SensorManager;',
  audio: 'Landroid/media/AudioManager;',
  vibrator: 'Landroid/os/Vibrator;',
  input_method: 'Landroid/view/inputmethod/InputMethodManager;',
  accessibility: 'Landroid/view/accessibility/AccessibilityManager;',
  camera: 'Landroid/hardware/camera2/CameraManager;',
  download: 'Landroid/app/DownloadManager;',
  storage: 'Landroid/os/storage/StorageManager;',
  batterymanager: 'Landroid/os/BatteryManager;',
  usagestats: 'Landroid/app/usage/UsageStatsManager;',
  appops: 'Landroid/app/AppOpsManager;',
  user: 'Landroid/os/UserManager;',
  uimode: 'Landroid/app/UiModeManager;',
  search: 'Landroid/app/SearchManager;',
  wallpaper: 'Landroid/app/WallpaperManager;',
  display: 'Landroid/hardware/display/DisplayManager;',
  media_projection: 'Landroid/media/projection/MediaProjectionManager;',
  netstats: 'Landroid/app/usage/NetworkStatsManager;',
  telecom: 'Landroid/telecom/TelecomManager;',
  nfc: 'Landroid/nfc/NfcManager;',
  usb: 'Landroid/hardware/usb/UsbManager;',
  shortcut: 'Landroid/content/pm/ShortcutManager;',
  launcherapps: 'Landroid/content/pm/LauncherApps;',
  role: 'Landroid/app/role/RoleManager;',
  fingerprint: 'Landroid/hardware/fingerprint/FingerprintManager;',
  servicediscovery: 'Landroid/net/nsd/NsdManager;',
  print: 'Landroid/print/PrintManager;',
  input: 'Landroid/hardware/input/InputManager;',
  media_router: 'Landroid/media/MediaRouter;',
  media_session: 'Landroid/media/session/MediaSessionManager;',
  captioning: 'Landroid/view/accessibility/CaptioningManager;',
  textservices: 'Landroid/view/textservice/TextServicesManager;',
  restrictions: 'Landroid/content/RestrictionsManager;',
  consumer_ir: 'Landroid/hardware/ConsumerIrManager;',
  tv_input: 'Landroid/media/tv/TvInputManager;',
  midi: 'Landroid/media/midi/MidiManager;',
  companiondevice: 'Landroid/companion/CompanionDeviceManager;',
  appwidget: 'Landroid/appwidget/AppWidgetManager;',
  carrier_config: 'Landroid/telephony/CarrierConfigManager;',
  hardware_properties: 'Landroid/os/HardwarePropertiesManager;',
  wifip2p: 'Landroid/net/wifi/p2p/WifiP2pManager;',
  wifiaware: 'Landroid/net/wifi/aware/WifiAwareManager;',
  biometric: 'Landroid/hardware/biometrics/BiometricManager;',
  autofill: 'Landroid/view/autofill/AutofillManager;',
  textclassification: 'Landroid/view/textclassifier/TextClassificationManager;',
  crossprofileapps: 'Landroid/content/pm/CrossProfileApps;',
  euicc: 'Landroid/telephony/euicc/EuiccManager;',
  ipsec: 'Landroid/net/IpSecManager;',
  statusbar: 'Landroid/app/StatusBarManager;',
  vibrator_manager: 'Landroid/os/VibratorManager;',
  storagestats: 'Landroid/app/usage/StorageStatsManager;',
  systemhealth: 'Landroid/os/health/SystemHealthManager;',
  dropbox: 'Landroid/os/DropBoxManager;',
  locale: 'Landroid/app/LocaleManager;',
};

/** The one object of a class that belongs to the system. */
export function singleton(machine: Machine, descriptor: string): HeapObject {
  const { systemServices } = appOf(machine);
  let object = systemServices.get(descriptor);
  if (object === undefined) {
    object = machine.allocate(descriptor);
    systemServices.set(descriptor, object);
  }
  return object;
}

/** The object behind `Context.getSystemService(name)`; null for an unknown name. */
export function systemService(machine: Machine, name: string): HeapObject | null {
  return Object.hasOwn(serviceClasses, name) ? singleton(machine, serviceClasses[name]!) : null;
}

/** The name of a service's class, for `getSystemService(Class)`. */
export function systemServiceByClass(machine: Machine, descriptor: string): HeapObject | null {
  return Object.values(serviceClasses).includes(descriptor) ? singleton(machine, descriptor) : null;
}

export function systemServiceName(descriptor: string): string | null {
  return Object.entries(serviceClasses).find(([, each]) => each === descriptor)?.[0] ?? null;
}
