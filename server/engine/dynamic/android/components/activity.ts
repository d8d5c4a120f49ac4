// Models of Activity: its life, its menus, what it starts and what it answers. Knows no view's content.
import { illegalArgument } from '../../java/values.ts';
import type { HeapObject, JavaArray, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { askForPermission } from '../control/permissions.ts';
import { loaderManager } from '../data/loaders.ts';
import {
  callIfThere,
  each,
  flag,
  no,
  none,
  nothing,
  plain,
  type Reference,
  setContextMenuListener,
  sideState,
  yes,
} from '../model-parts.ts';
import { singleton } from '../phone/system-services.ts';
import { actionBarOf } from '../screens/action-bar.ts';
import {
  allFragments,
  dispatchFragments,
  fragmentManagerOf,
  fragmentOf,
  managerOf,
  popBackStack,
  runPending,
} from '../screens/fragment-lives.ts';
import { startsActionMode } from '../screens/popup-menus.ts';
import { windowFor } from '../screens/window.ts';
import { inflaterFor } from '../views/inflater.ts';
import { finish, post, recreate } from './activity-life.ts';
import { type ActivityRecord, appOf } from './app.ts';
import { newComponentName } from './component-name.ts';
import { newPendingIntent, sendPending, startActivity } from './delivery.ts';
import { intentOf, intentTaint, newIntent } from './intent-state.ts';

const recordOf = (machine: Machine, activity: HeapObject): ActivityRecord | null => appOf(machine).recordOf(activity);

/** Tells who registered for the lives of all activities, and the activity's fragments. */
const lifecycle =
  (callback: string, stage: string | null): NativeMethod =>
  (machine, me, saved: Reference = null) => {
    const takesBundle = callback === 'onActivityCreated' || callback === 'onActivitySaveInstanceState';
    const signature = `${callback}(Landroid/app/Activity;${takesBundle ? 'Landroid/os/Bundle;' : ''})V`;
    for (const observer of [...appOf(machine).lifecycleCallbacks]) {
      callIfThere(machine, observer, signature, me, ...(takesBundle ? [saved] : []));
    }
    if (stage !== null) dispatchFragments(machine, me, stage, saved);
  };

const toFragments =
  (signature: string): NativeMethod =>
  (machine, me, ...args: Value[]) => {
    for (const fragment of allFragments(machine, me)) machine.call(fragment, signature, ...args);
  };

const windowOf = (machine: Machine, activity: HeapObject): HeapObject => windowFor(machine, activity, activity);

const forResult: NativeMethod = (machine, me, intent: HeapObject, requestCode: number) =>
  startActivity(machine, intent, me, requestCode, 'Activity.startActivityForResult');

const setResult: NativeMethod = (machine, me, code: number, data: Reference = null) => {
  const record = recordOf(machine, me);
  if (record === null) return;
  record.resultCode = code;
  record.resultData = data;
  if (data === null || record.isStartedWithin || !record.component.exported) return;
  // The app that started it from outside reads its result.
  recorderOf(machine).leak('intent', 'Activity.setResult', record.component.name, intentTaint(machine, intentOf(data)));
};

const end: NativeMethod = (machine, me) => {
  const record = recordOf(machine, me);
  if (record !== null) finish(machine, record);
};

interface ActivityState {
  title: Reference;
}
const activityOf = (machine: Machine, activity: HeapObject): ActivityState =>
  sideState<ActivityState>(machine, 'activity', activity, () => ({ title: null }));

const activityMethods: NativeMethods = {
  '<init>()V': nothing,
  'onCreate(Landroid/os/Bundle;)V': lifecycle('onActivityCreated', 'created'),
  'onCreate(Landroid/os/Bundle;Landroid/os/PersistableBundle;)V': lifecycle('onActivityCreated', 'created'),
  'onStart()V': lifecycle('onActivityStarted', 'started'),
  'onResume()V': lifecycle('onActivityResumed', 'resumed'),
  'onPause()V': lifecycle('onActivityPaused', 'paused'),
  'onStop()V': lifecycle('onActivityStopped', 'stopped'),
  'onDestroy()V': lifecycle('onActivityDestroyed', 'destroyed'),
  'onSaveInstanceState(Landroid/os/Bundle;)V': lifecycle('onActivitySaveInstanceState', 'saved'),
  'onLowMemory()V': toFragments('onLowMemory()V'),
  'onTrimMemory(I)V': toFragments('onTrimMemory(I)V'),
  'onConfigurationChanged(Landroid/content/res/Configuration;)V': toFragments(
    'onConfigurationChanged(Landroid/content/res/Configuration;)V',
  ),
  ...each(
    nothing,
    'onRestart()V',
    'onAttachFragment(Landroid/app/Fragment;)V',
    'onPostCreate(Landroid/os/Bundle;)V',
    'onPostResume()V',
    'onAttachedToWindow()V',
    'onDetachedFromWindow()V',
    'onContentChanged()V',
    'onUserInteraction()V',
    'onUserLeaveHint()V',
    'onRestoreInstanceState(Landroid/os/Bundle;)V',
    'onNewIntent(Landroid/content/Intent;)V',
    'onWindowFocusChanged(Z)V',
    'onActivityResult(IILandroid/content/Intent;)V',
    'onRequestPermissionsResult(I[Ljava/lang/String;[I)V',
    'onTitleChanged(Ljava/lang/CharSequence;I)V',
    'setRequestedOrientation(I)V',
    'setVolumeControlStream(I)V',
    'setProgressBarIndeterminateVisibility(Z)V',
    'setFinishOnTouchOutside(Z)V',
    'overridePendingTransition(II)V',
    'invalidateOptionsMenu()V',
    'openOptionsMenu()V',
    'closeOptionsMenu()V',
    'onOptionsMenuClosed(Landroid/view/Menu;)V',
    'onContextMenuClosed(Landroid/view/Menu;)V',
    'onCreateContextMenu(Landroid/view/ContextMenu;Landroid/view/View;Landroid/view/ContextMenu$ContextMenuInfo;)V',
    'setTaskDescription(Landroid/app/ActivityManager$TaskDescription;)V',
    'reportFullyDrawn()V',
    'setVisible(Z)V',
    'startManagingCursor(Landroid/database/Cursor;)V',
    'dismissDialog(I)V',
    'removeDialog(I)V',
    'onCreateNavigateUpTaskStack(Landroid/app/TaskStackBuilder;)V',
    'onSupportActionModeStarted(Landroid/view/ActionMode;)V',
  ),
  'onCreateOptionsMenu(Landroid/view/Menu;)Z': yes,
  'onPrepareOptionsMenu(Landroid/view/Menu;)Z': yes,
  'onOptionsItemSelected(Landroid/view/MenuItem;)Z': no,
  'onContextItemSelected(Landroid/view/MenuItem;)Z': no,
  ...startsActionMode,
  'registerForContextMenu(!Landroid/view/View;)V': (machine, me, view: HeapObject) =>
    machine.call(view, setContextMenuListener, me),
  'unregisterForContextMenu(!Landroid/view/View;)V': (machine, _me, view: HeapObject) =>
    machine.call(view, setContextMenuListener, null),
  'onMenuItemSelected(ILandroid/view/MenuItem;)Z': (machine, me, feature: number, item: Reference) => {
    if (feature !== 0) return 0;
    const signature = 'onOptionsItemSelected(Landroid/view/MenuItem;)Z';
    if (machine.call(me, signature, item) !== 0) return 1;
    return flag(
      allFragments(machine, me).some(
        (fragment) => fragmentOf(machine, fragment).hasMenu && machine.call(fragment, signature, item) !== 0,
      ),
    );
  },
  'onMenuOpened(ILandroid/view/Menu;)Z': yes,
  'onPanelClosed(ILandroid/view/Menu;)V': nothing,
  'onCreatePanelMenu(ILandroid/view/Menu;)Z': (machine, me, _feature: number, menu: Reference) => {
    const isShown = machine.call(me, 'onCreateOptionsMenu(Landroid/view/Menu;)Z', menu);
    const inflater = machine.call(me, 'getMenuInflater()Landroid/view/MenuInflater;');
    for (const fragment of allFragments(machine, me)) {
      if (!fragmentOf(machine, fragment).hasMenu) continue;
      machine.call(fragment, 'onCreateOptionsMenu(Landroid/view/Menu;Landroid/view/MenuInflater;)V', menu, inflater);
      machine.call(fragment, 'onPrepareOptionsMenu(Landroid/view/Menu;)V', menu);
    }
    return isShown;
  },
  'onPreparePanel(ILandroid/view/View;Landroid/view/Menu;)Z': yes,
  'onKeyDown(ILandroid/view/KeyEvent;)Z': (machine, me, code: number) => {
    if (code === 4) machine.call(me, 'onBackPressed()V');
    return flag(code === 4);
  },
  'onKeyUp(ILandroid/view/KeyEvent;)Z': no,
  'onKeyLongPress(ILandroid/view/KeyEvent;)Z': no,
  'dispatchKeyEvent(Landroid/view/KeyEvent;)Z': no,
  'dispatchTouchEvent(Landroid/view/MotionEvent;)Z': (machine, me, event: Reference) =>
    machine.call(me, 'onTouchEvent(Landroid/view/MotionEvent;)Z', event),
  'onTouchEvent(Landroid/view/MotionEvent;)Z': no,
  'onGenericMotionEvent(Landroid/view/MotionEvent;)Z': no,
  'onSearchRequested()Z': no,
  'onNavigateUp()Z': no,
  'onBackPressed()V': (machine, me) => {
    const manager = managerOf(fragmentManagerOf(machine, me));
    runPending(manager);
    if (!popBackStack(machine, manager)) end(machine, me);
  },
  'onCreateView(Ljava/lang/String;Landroid/content/Context;Landroid/util/AttributeSet;)Landroid/view/View;': none,
  'onCreateView(Landroid/view/View;Ljava/lang/String;Landroid/content/Context;Landroid/util/AttributeSet;)Landroid/view/View;':
    (machine, me, _parent: Reference, name: Reference, context: Reference, set: Reference) =>
      machine.call(
        me,
        'onCreateView(Ljava/lang/String;Landroid/content/Context;Landroid/util/AttributeSet;)Landroid/view/View;',
        name,
        context,
        set,
      ),
  'onRetainNonConfigurationInstance()Ljava/lang/Object;': none,
  'getLastNonConfigurationInstance()Ljava/lang/Object;': none,
  'onCreateDialog(I)Landroid/app/Dialog;': none,
  'onCreateDialog(ILandroid/os/Bundle;)Landroid/app/Dialog;': (machine, me, id: number) =>
    machine.call(me, 'onCreateDialog(I)Landroid/app/Dialog;', id),
  ...each((machine, me, id: number) => {
    const dialog = machine.call(me, 'onCreateDialog(ILandroid/os/Bundle;)Landroid/app/Dialog;', id, null) as Reference;
    if (dialog !== null) machine.call(dialog, 'show()V');
  }, 'showDialog(I)V'),
  ...Object.fromEntries(
    [
      'setContentView(I)V',
      'setContentView(Landroid/view/View;)V',
      'setContentView(Landroid/view/View;Landroid/view/ViewGroup$LayoutParams;)V',
      'addContentView(Landroid/view/View;Landroid/view/ViewGroup$LayoutParams;)V',
      'findViewById(I)Landroid/view/View;',
      'requireViewById(I)Landroid/view/View;',
      'getCurrentFocus()Landroid/view/View;',
    ].map((signature): [string, NativeMethod] => [
      signature,
      (machine, me, ...args: Value[]) => machine.call(windowOf(machine, me), signature, ...args),
    ]),
  ),
  'getLayoutInflater()Landroid/view/LayoutInflater;': inflaterFor,
  'getMenuInflater()Landroid/view/MenuInflater;': (machine) => singleton(machine, 'Landroid/view/MenuInflater;'),
  'getWindow()Landroid/view/Window;': windowOf,
  'getWindowManager()Landroid/view/WindowManager;': (machine) => singleton(machine, 'Landroid/view/WindowManagerImpl;'),
  'requestWindowFeature(I)Z': yes,
  'getActionBar()Landroid/app/ActionBar;': actionBarOf,
  'hasWindowFocus()Z': yes,
  'getTitle()Ljava/lang/CharSequence;': (machine, me) =>
    activityOf(machine, me).title ?? machine.string(appOf(machine).plan.manifest.appName),
  'setTitle(Ljava/lang/CharSequence;)V': (machine, me, title: Reference) => {
    activityOf(machine, me).title = title;
  },
  'setTitle(I)V': nothing,
  'getIntent()Landroid/content/Intent;': (machine, me) => {
    const record = recordOf(machine, me);
    return record?.intent ?? newIntent(machine);
  },
  'setIntent(!Landroid/content/Intent;)V': (machine, me, intent: HeapObject) => {
    const record = recordOf(machine, me);
    if (record !== null) record.intent = intent;
  },
  'getApplication()Landroid/app/Application;': (machine) => appOf(machine).application,
  'getComponentName()Landroid/content/ComponentName;': (machine, me) =>
    newComponentName(machine, { packageName: appOf(machine).packageName, className: me.cls.name, taint: 0 }),
  'getLocalClassName()Ljava/lang/String;': (machine, me) => machine.string(me.cls.name),
  'getCallingActivity()Landroid/content/ComponentName;': (machine, me) => {
    const caller = recordOf(machine, me)?.caller ?? null;
    if (caller === null) return null;
    return newComponentName(machine, {
      packageName: appOf(machine).packageName,
      className: caller.component.name,
      taint: 0,
    });
  },
  'getCallingPackage()Ljava/lang/String;': (machine, me) =>
    recordOf(machine, me)?.caller === null ? null : machine.string(appOf(machine).packageName),
  'getReferrer()Landroid/net/Uri;': none,
  'getTaskId()I': () => 417,
  'isTaskRoot()Z': yes,
  'isChild()Z': no,
  'getParent()Landroid/app/Activity;': none,
  'isFinishing()Z': (machine, me) => recordOf(machine, me)?.isFinishing ?? false,
  'isDestroyed()Z': (machine, me) => recordOf(machine, me)?.stage === 'destroyed',
  'isChangingConfigurations()Z': no,
  'isInMultiWindowMode()Z': no,
  'getRequestedOrientation()I': () => -1,
  'moveTaskToBack(Z)Z': yes,
  ...each(end, 'finish()V', 'finishAffinity()V', 'finishAndRemoveTask()V', 'finishAfterTransition()V'),
  'recreate()V': (machine, me) => {
    const record = recordOf(machine, me);
    if (record !== null) post(machine, 0, me.cls.name, () => void recreate(machine, record));
  },
  'setResult(I)V': setResult,
  'setResult(ILandroid/content/Intent;)V': setResult,
  'startActivityForResult(!Landroid/content/Intent;I)V': forResult,
  'startActivityForResult(!Landroid/content/Intent;ILandroid/os/Bundle;)V': forResult,
  'startActivityIfNeeded(!Landroid/content/Intent;I)Z': (machine, me, intent: HeapObject, code: number) => {
    forResult(machine, me, intent, code);
    return 1;
  },
  'startIntentSenderForResult(Landroid/content/IntentSender;ILandroid/content/Intent;III)V': (
    machine,
    _me,
    sender: Reference,
    _code: number,
    fill: Reference,
  ) => sendPending(machine, sender, fill),
  'createPendingResult(I!Landroid/content/Intent;I)Landroid/app/PendingIntent;': (
    machine,
    _me,
    requestCode: number,
    intent: HeapObject,
  ) => newPendingIntent(machine, { kind: 'broadcast', intent, requestCode }),
  ...each((machine, me, permissions: JavaArray | null, code: number) => {
    if (permissions === null || permissions.elements.length === 0) {
      throw illegalArgument(machine, 'permission cannot be null or empty');
    }
    const names = permissions.elements as Reference[];
    const answers = machine.array('I', names.length);
    for (const [index, name] of names.entries())
      (answers.elements as Int32Array)[index] = askForPermission(machine, plain(machine, name)) ? 0 : -1;
    post(machine, 400, me.cls.name, () => {
      machine.call(me, 'onRequestPermissionsResult(I[Ljava/lang/String;[I)V', code, permissions, answers);
    });
  }, 'requestPermissions([Ljava/lang/String;I)V'),
  'shouldShowRequestPermissionRationale(Ljava/lang/String;)Z': no,
  'runOnUiThread(!Ljava/lang/Runnable;)V': (machine, me, task: HeapObject) => {
    post(machine, 0, me.cls.name, () => {
      machine.call(task, 'run()V');
    });
  },
  'getPreferences(I)Landroid/content/SharedPreferences;': (machine, me) =>
    machine.call(
      me,
      'getSharedPreferences(Ljava/lang/String;I)Landroid/content/SharedPreferences;',
      machine.string(me.cls.name),
      0,
    ),
  'getFragmentManager()Landroid/app/FragmentManager;': fragmentManagerOf,
  'getLoaderManager()Landroid/app/LoaderManager;': loaderManager,
  ...each(
    (machine, _me, uri: Value, projection: Value, selection: Value, args: Value, order: Value) =>
      machine.call(
        singleton(machine, 'Landroid/content/ContentResolverImpl;'),
        'query(Landroid/net/Uri;[Ljava/lang/String;Ljava/lang/String;[Ljava/lang/String;Ljava/lang/String;)Landroid/database/Cursor;',
        uri,
        projection,
        selection,
        args,
        order,
      ),
    'managedQuery(Landroid/net/Uri;[Ljava/lang/String;Ljava/lang/String;[Ljava/lang/String;Ljava/lang/String;)Landroid/database/Cursor;',
  ),
};

export const activityModels: Models = {
  'Landroid/app/Activity;': {
    extends: 'Landroid/view/ContextThemeWrapper;',
    implements: [
      'Landroid/view/LayoutInflater$Factory2;',
      'Landroid/view/Window$Callback;',
      'Landroid/view/KeyEvent$Callback;',
      'Landroid/view/View$OnCreateContextMenuListener;',
      'Landroid/content/ComponentCallbacks2;',
    ],
    methods: activityMethods,
    constants: { 'RESULT_OK:I': -1, 'RESULT_CANCELED:I': 0, 'RESULT_FIRST_USER:I': 1 },
  },
  'Landroid/app/TabActivity;': { extends: 'Landroid/app/Activity;' },
  'Landroid/app/NativeActivity;': { extends: 'Landroid/app/Activity;' },
  'Landroid/app/ExpandableListActivity;': { extends: 'Landroid/app/Activity;' },
  'Landroid/app/AliasActivity;': { extends: 'Landroid/app/Activity;' },
  'Landroid/accounts/AccountAuthenticatorActivity;': { extends: 'Landroid/app/Activity;' },
};
