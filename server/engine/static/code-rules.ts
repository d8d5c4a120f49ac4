// What code is worth a finding: the interfaces it calls and the constants it holds. Knows no dex structure.
import type { FindingCode } from '../../contract/findings/finding-catalogue.ts';

export interface CodeRule {
  /** What is found where the code does one of these. */
  readonly code: FindingCode;
  /** Method names by class descriptor, separated by blanks. */
  readonly methods?: Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, string>>;
  /** Whole string constants. */
  readonly strings?: readonly string[];
  /** Permissions without any of which the calls do nothing; code of libraries is there for whoever has them. */
  readonly permissions?: readonly string[];
}

export const codeRules: readonly CodeRule[] = [
  {
    code: 'code-dynamic-loading',
    methods: {
      'Ldalvik/system/DexClassLoader;': '<init>',
      'Ldalvik/system/PathClassLoader;': '<init>',
      'Ldalvik/system/InMemoryDexClassLoader;': '<init>',
      'Ldalvik/system/DelegateLastClassLoader;': '<init>',
      'Ldalvik/system/BaseDexClassLoader;': '<init>',
      'Ldalvik/system/DexFile;': '<init> loadDex openDexFile',
    },
  },
  {
    code: 'code-native-loading',
    methods: { 'Ljava/lang/System;': 'load loadLibrary', 'Ljava/lang/Runtime;': 'load loadLibrary' },
  },
  {
    code: 'code-reflection',
    methods: {
      'Ljava/lang/reflect/Method;': 'invoke',
      'Ljava/lang/reflect/Constructor;': 'newInstance',
      'Ljava/lang/Class;': 'forName',
    },
  },
  {
    code: 'code-run-command',
    methods: { 'Ljava/lang/Runtime;': 'exec', 'Ljava/lang/ProcessBuilder;': 'start' },
  },
  {
    code: 'code-send-sms',
    permissions: ['SEND_SMS'],
    methods: {
      'Landroid/telephony/SmsManager;':
        'sendTextMessage sendMultipartTextMessage sendDataMessage sendMultimediaMessage sendTextMessageWithoutPersisting',
      'Landroid/telephony/gsm/SmsManager;': 'sendTextMessage sendMultipartTextMessage sendDataMessage',
    },
  },
  {
    code: 'code-read-sms',
    permissions: ['READ_SMS'],
    strings: [
      'content://sms',
      'content://sms/',
      'content://sms/inbox',
      'content://sms/sent',
      'content://sms/conversations',
    ],
  },
  {
    code: 'code-abort-broadcast',
    methods: { 'Landroid/content/BroadcastReceiver;': 'abortBroadcast' },
  },
  {
    code: 'code-device-admin',
    methods: { 'Landroid/app/admin/DevicePolicyManager;': 'lockNow wipeData resetPassword resetPasswordWithToken' },
  },
  {
    code: 'code-accessibility-action',
    methods: {
      'Landroid/accessibilityservice/AccessibilityService;': 'performGlobalAction dispatchGesture',
    },
  },
  {
    code: 'code-screen-capture',
    methods: { 'Landroid/media/projection/MediaProjectionManager;': 'createScreenCaptureIntent getMediaProjection' },
  },
  {
    code: 'code-record-audio',
    permissions: ['RECORD_AUDIO'],
    methods: {
      'Landroid/media/MediaRecorder;': 'setAudioSource',
      'Landroid/media/AudioRecord;': '<init> startRecording',
    },
  },
  {
    code: 'code-install-package',
    methods: { 'Landroid/content/pm/PackageInstaller;': 'createSession openSession' },
    strings: ['application/vnd.android.package-archive', 'android.intent.action.INSTALL_PACKAGE'],
  },
  {
    code: 'code-webview-javascript-interface',
    methods: { 'Landroid/webkit/WebView;': 'addJavascriptInterface' },
  },
  {
    code: 'code-webview-debugging',
    methods: { 'Landroid/webkit/WebView;': 'setWebContentsDebuggingEnabled' },
  },
  {
    code: 'code-root-check',
    strings: [
      '/system/app/Superuser.apk',
      '/system/app/SuperSU.apk',
      '/system/bin/su',
      '/system/xbin/su',
      '/sbin/su',
      '/su/bin/su',
      '/vendor/bin/su',
      '/data/local/xbin/su',
      '/data/local/bin/su',
      '/system/sd/xbin/su',
      '/system/bin/failsafe/su',
      '/data/local/su',
      '/system/xbin/which',
      '/system/xbin/daemonsu',
      'com.noshufou.android.su',
      'com.thirdparty.superuser',
      'eu.chainfire.supersu',
      'com.koushikdutta.superuser',
      'com.topjohnwu.magisk',
      'test-keys',
    ],
  },
  {
    code: 'code-root-command',
    strings: ['mount -o remount,rw /system', 'mount -o rw,remount /system', 'chmod 777 ', 'chmod 755 '],
  },
  {
    code: 'code-silent-install',
    strings: [
      'pm install',
      'pm install ',
      'pm install -r',
      'pm install -r ',
      'pm uninstall',
      'pm uninstall ',
      'adb install ',
    ],
  },
  {
    code: 'code-emulator-check',
    strings: [
      'goldfish',
      'ranchu',
      'vbox86',
      'vbox86p',
      'generic_x86',
      'google_sdk',
      'sdk_gphone',
      'Genymotion',
      'nox',
      'ttVM_x86',
      '/dev/socket/qemud',
      '/dev/qemu_pipe',
      '/system/lib/libc_malloc_debug_qemu.so',
      '/sys/qemu_trace',
      '/system/bin/qemu-props',
      'ro.kernel.qemu',
      'ro.hardware.virtual_device',
      'com.bluestacks',
      'com.bignox.app',
      '000000000000000',
      '15555215554',
    ],
  },
  {
    code: 'code-debugger-check',
    methods: { 'Landroid/os/Debug;': 'isDebuggerConnected waitingForDebugger' },
    strings: ['TracerPid', 'TracerPid:', '/proc/self/status'],
  },
  {
    code: 'code-hook-check',
    strings: [
      'de.robv.android.xposed.installer',
      'de.robv.android.xposed.XposedBridge',
      'com.saurik.substrate',
      'frida-server',
      'frida-agent',
      're.frida.server',
      'libfrida-gadget.so',
      'io.va.exposed',
      'org.meowcat.edxposed.manager',
      'org.lsposed.manager',
    ],
  },
  {
    code: 'code-clipboard',
    methods: { 'Landroid/content/ClipboardManager;': 'getPrimaryClip addPrimaryClipChangedListener getText' },
  },
  {
    code: 'code-overlay',
    strings: ['android.settings.action.MANAGE_OVERLAY_PERMISSION'],
  },
  {
    code: 'code-accessibility-settings',
    strings: ['android.settings.ACCESSIBILITY_SETTINGS', 'enabled_accessibility_services'],
  },
  {
    code: 'code-usage-access',
    methods: { 'Landroid/app/usage/UsageStatsManager;': 'queryUsageStats queryEvents queryAndAggregateUsageStats' },
    strings: ['android.settings.USAGE_ACCESS_SETTINGS'],
  },
  {
    code: 'code-running-apps',
    methods: { 'Landroid/app/ActivityManager;': 'getRunningTasks getRunningAppProcesses getRecentTasks' },
  },
  {
    code: 'code-kill-processes',
    methods: { 'Landroid/app/ActivityManager;': 'killBackgroundProcesses restartPackage forceStopPackage' },
  },
  {
    code: 'code-location',
    permissions: ['ACCESS_FINE_LOCATION', 'ACCESS_COARSE_LOCATION'],
    methods: {
      'Landroid/location/LocationManager;':
        'requestLocationUpdates getLastKnownLocation requestSingleUpdate getCurrentLocation',
    },
  },
  {
    code: 'code-contacts',
    permissions: ['READ_CONTACTS', 'READ_CALL_LOG'],
    fields: {
      'Landroid/provider/ContactsContract$Contacts;': 'CONTENT_URI',
      'Landroid/provider/ContactsContract$CommonDataKinds$Phone;': 'CONTENT_URI',
      'Landroid/provider/CallLog$Calls;': 'CONTENT_URI',
    },
    strings: ['content://com.android.contacts/contacts', 'content://call_log/calls', 'content://contacts/people'],
  },
  {
    code: 'code-hidden-api-bypass',
    strings: ['setHiddenApiExemptions', 'Ldalvik/system/VMRuntime;->setHiddenApiExemptions'],
  },
  {
    code: 'code-telegram-bot',
    strings: ['https://api.telegram.org/bot', 'api.telegram.org/bot', 'https://api.telegram.org'],
  },
  {
    code: 'code-lock-screen-off',
    methods: { 'Landroid/app/KeyguardManager$KeyguardLock;': 'disableKeyguard' },
  },
];
