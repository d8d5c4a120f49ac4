// Which framework classes inherit from which, as far as matching calls needs it. Knows no dex structure.

const activities =
  'android/app/ListActivity android/app/TabActivity android/app/ActivityGroup android/app/ExpandableListActivity ' +
  'android/app/LauncherActivity android/app/AliasActivity android/app/NativeActivity ' +
  'android/accounts/AccountAuthenticatorActivity android/preference/PreferenceActivity ' +
  // Of the libraries that apps bring along, where theirs is in a part that is not here.
  'androidx/appcompat/app/AppCompatActivity androidx/fragment/app/FragmentActivity androidx/activity/ComponentActivity ' +
  'android/support/v7/app/AppCompatActivity android/support/v4/app/FragmentActivity';

/** Framework classes below the ones that declare inherited methods. https://developer.android.com/reference/android/content/Context */
const subclasses: Readonly<Record<string, string>> = {
  'Landroid/app/Activity;': activities,
  'Landroid/content/Context;':
    `android/app/Activity ${activities} ` +
    'android/content/ContextWrapper android/content/MutableContextWrapper android/view/ContextThemeWrapper ' +
    'android/app/Application android/app/Service android/app/IntentService ' +
    'android/app/backup/BackupAgent android/app/backup/BackupAgentHelper android/app/job/JobService ' +
    'android/accessibilityservice/AccessibilityService android/service/notification/NotificationListenerService ' +
    'android/service/wallpaper/WallpaperService android/service/dreams/DreamService ' +
    'android/service/quicksettings/TileService android/service/autofill/AutofillService ' +
    'android/service/media/MediaBrowserService android/service/voice/VoiceInteractionService ' +
    'android/service/chooser/ChooserTargetService android/service/vr/VrListenerService ' +
    'android/inputmethodservice/InputMethodService android/inputmethodservice/AbstractInputMethodService ' +
    'android/net/VpnService android/nfc/cardemulation/HostApduService ' +
    'android/printservice/PrintService android/speech/RecognitionService android/speech/tts/TextToSpeechService ' +
    'android/telecom/ConnectionService android/telecom/InCallService android/telecom/CallScreeningService ' +
    'android/telecom/CallRedirectionService android/widget/RemoteViewsService ' +
    'android/media/tv/TvInputService android/media/midi/MidiDeviceService',
  'Landroid/content/BroadcastReceiver;':
    'android/appwidget/AppWidgetProvider android/app/admin/DeviceAdminReceiver ' +
    'android/service/restrictions/RestrictionsReceiver',
};

const ancestors = new Map<string, Set<string>>();
for (const [ancestor, names] of Object.entries(subclasses)) {
  for (const name of names.split(' ')) {
    const descriptor = `L${name};`;
    ancestors.set(descriptor, (ancestors.get(descriptor) ?? new Set()).add(ancestor));
  }
}

/** Whether a framework class is `ancestor` or stands below it; both are descriptors. */
export const isFrameworkSubclass = (descriptor: string, ancestor: string): boolean =>
  descriptor === ancestor || ancestors.get(descriptor)?.has(ancestor) === true;
