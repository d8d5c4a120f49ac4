// Models of widgets on the home screen: the app's provider, the one widget that stands there, and its remote views. Knows
// no launcher.
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine, Models } from '../../machine/model.ts';
import { each, listOf, no, none, nothing, plain, type Reference, self, yes } from '../model-parts.ts';
import { singleton } from '../phone/system-services.ts';
import { handOver } from './delivery.ts';
import { intentOf } from './intent-state.ts';

const manager = 'Landroid/appwidget/AppWidgetManager;';
const options = 'Landroid/os/Bundle;';
const views = 'Landroid/widget/RemoteViews;';
const onUpdate = `onUpdate(Landroid/content/Context;${manager}[I)V`;
const onOptionsChanged = `onAppWidgetOptionsChanged(Landroid/content/Context;${manager}I${options})V`;
const widgetId = 11;

function widgetIds(machine: Machine): JavaArray {
  const ids = machine.array('I', 1);
  ids.elements[0] = widgetId;
  return ids;
}

export const appWidgetModels: Models = {
  'Landroid/appwidget/AppWidgetProvider;': {
    extends: 'Landroid/content/BroadcastReceiver;',
    methods: {
      ...each(
        nothing,
        '<init>()V',
        onUpdate,
        onOptionsChanged,
        'onEnabled(Landroid/content/Context;)V',
        'onDisabled(Landroid/content/Context;)V',
        'onDeleted(Landroid/content/Context;[I)V',
        'onRestored(Landroid/content/Context;[I[I)V',
      ),
      'onReceive(Landroid/content/Context;!Landroid/content/Intent;)V': (
        machine,
        me,
        context: Reference,
        intent: HeapObject,
      ) => {
        const action = plain(machine, intentOf(intent).action).replace('android.appwidget.action.APPWIDGET_', '');
        const own = singleton(machine, manager);
        if (action === 'ENABLED') machine.call(me, 'onEnabled(Landroid/content/Context;)V', context);
        else if (action === 'DISABLED') machine.call(me, 'onDisabled(Landroid/content/Context;)V', context);
        else if (action === 'UPDATE') machine.call(me, onUpdate, context, own, widgetIds(machine));
        else if (action === 'DELETED') {
          machine.call(me, 'onDeleted(Landroid/content/Context;[I)V', context, widgetIds(machine));
        } else if (action === 'UPDATE_OPTIONS') {
          machine.call(me, onOptionsChanged, context, own, widgetId, machine.construct(options, '<init>()V'));
        }
      },
    },
  },
  [manager]: {
    methods: {
      'getAppWidgetIds(Landroid/content/ComponentName;)[I': widgetIds,
      ...each(
        nothing,
        `updateAppWidget(I${views})V`,
        `updateAppWidget([I${views})V`,
        `updateAppWidget(Landroid/content/ComponentName;${views})V`,
        `partiallyUpdateAppWidget(I${views})V`,
        `partiallyUpdateAppWidget([I${views})V`,
        'notifyAppWidgetViewDataChanged(II)V',
        'notifyAppWidgetViewDataChanged([II)V',
        `updateAppWidgetOptions(I${options})V`,
      ),
      'getAppWidgetInfo(I)Landroid/appwidget/AppWidgetProviderInfo;': none,
      [`getAppWidgetOptions(I)${options}`]: (machine) => machine.construct(options, '<init>()V'),
      'getInstalledProviders()Ljava/util/List;': (machine) => listOf(machine, []),
      'bindAppWidgetIdIfAllowed(ILandroid/content/ComponentName;)Z': no,
      'isRequestPinAppWidgetSupported()Z': yes,
    },
    staticMethods: {
      [`getInstance(Landroid/content/Context;)${manager}`]: (machine) => singleton(machine, manager),
    },
  },
  [views]: {
    methods: {
      ...each(
        (machine, _me, _id: number, pending: Reference) => handOver(machine, pending, 'widget'),
        'setOnClickPendingIntent(ILandroid/app/PendingIntent;)V',
        'setPendingIntentTemplate(ILandroid/app/PendingIntent;)V',
      ),
      ...each(nothing, '<init>(Ljava/lang/String;I)V', `<init>(${views}${views})V`, `<init>(${views})V`),
      [`clone()${views}`]: self,
      'getLayoutId()I': no,
      'getPackage()Ljava/lang/String;': none,
    },
  },
};
