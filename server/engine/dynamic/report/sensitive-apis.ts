// The methods of the platform whose calls an analyst wants accounted for, one by one. Knows no run.
import type { Dex } from '../../formats/dex/dex.ts';

/** By class, the names of methods. */
const sensitive: Readonly<Record<string, RegExp>> = {
  'Landroid/telephony/SmsManager;': /^send/,
  'Landroid/telephony/gsm/SmsManager;': /^send/,
  'Landroid/telephony/TelephonyManager;':
    /^get(?:DeviceId|Imei|Meid|SubscriberId|SimSerialNumber|Line1Number|VoiceMail|CellLocation|AllCellInfo)/,
  'Landroid/location/LocationManager;': /^(?:request|getLastKnown|getCurrentLocation)/,
  'Landroid/content/ContentResolver;': /^(?:query|insert|delete|update|bulkInsert|applyBatch)$/,
  'Landroid/content/ClipboardManager;': /^(?:getPrimaryClip|getText)$/,
  'Landroid/net/wifi/WifiInfo;': /^get(?:MacAddress|SSID|BSSID)$/,
  'Landroid/bluetooth/BluetoothAdapter;': /^getAddress$/,
  'Ljava/lang/Runtime;': /^(?:exec|load)/,
  'Ljava/lang/System;': /^load(?:Library)?$/,
  'Ljava/lang/ProcessBuilder;': /^start$/,
  'Ldalvik/system/DexClassLoader;': /^<init>$/,
  'Ldalvik/system/InMemoryDexClassLoader;': /^<init>$/,
  'Ldalvik/system/PathClassLoader;': /^<init>$/,
  'Ldalvik/system/DexFile;': /^(?:<init>|loadDex)$/,
  'Ljava/net/URL;': /^open/,
  'Ljava/net/Socket;': /^(?:<init>|connect)$/,
  'Ljava/net/DatagramSocket;': /^send$/,
  'Lorg/apache/http/client/HttpClient;': /^execute$/,
  'Lorg/apache/http/impl/client/DefaultHttpClient;': /^execute$/,
  'Landroid/webkit/WebView;': /^(?:loadUrl|postUrl|addJavascriptInterface|evaluateJavascript)$/,
  'Landroid/media/MediaRecorder;': /^start$/,
  'Landroid/media/AudioRecord;': /^startRecording$/,
  'Landroid/hardware/Camera;': /^(?:open|takePicture)$/,
  'Landroid/hardware/camera2/CameraManager;': /^openCamera$/,
  'Landroid/media/projection/MediaProjection;': /^createVirtualDisplay$/,
  'Landroid/content/pm/PackageInstaller$Session;': /^commit$/,
  'Landroid/app/admin/DevicePolicyManager;': /^(?:lockNow|wipeData|resetPassword)$/,
  'Landroid/accounts/AccountManager;': /^get/,
  'Landroid/content/pm/PackageManager;': /^(?:setComponentEnabledSetting|getInstalled)/,
  'Landroid/accessibilityservice/AccessibilityService;':
    /^(?:performGlobalAction|dispatchGesture|getRootInActiveWindow)$/,
  'Ljavax/crypto/Cipher;': /^doFinal$/,
};

/** `android.telephony.SmsManager.sendTextMessage`; null where a method is none of them. */
export function sensitiveApi(owner: string, name: string): string | null {
  return Object.hasOwn(sensitive, owner) && sensitive[owner]!.test(name)
    ? `${owner.slice(1, -1).replaceAll('/', '.')}.${name}`
    : null;
}

/** The sensitive methods that a dex file names, by their index. */
export function sensitiveMethods(dex: Dex): Map<number, string> {
  const found = new Map<number, string>();
  const types = new Set<number>();
  for (let type = 0; type < dex.typeCount; type++) if (Object.hasOwn(sensitive, dex.type(type))) types.add(type);
  if (types.size === 0) return found;
  for (let index = 0; index < dex.methodCount; index++) {
    if (!types.has(dex.methodClassIndex(index))) continue;
    const api = sensitiveApi(dex.methodClass(index), dex.methodName(index));
    if (api !== null) found.set(index, api);
  }
  return found;
}
