// Every model of the Android framework, in one table. Knows no machine.
import { mergedModels } from '../machine/merged-models.ts';
import type { Models } from '../machine/model.ts';
import { activityModels } from './components/activity.ts';
import { activityThreadModels } from './components/activity-thread.ts';
import { appWidgetModels } from './components/app-widgets.ts';
import { bundleModels } from './components/bundle.ts';
import { componentNameModels } from './components/component-name.ts';
import { contextModels } from './components/context.ts';
import { intentModels } from './components/intent.ts';
import { intentFilterModels } from './components/intent-filter.ts';
import { serviceModels } from './components/services.ts';
import { accessibilityModels } from './control/accessibility.ts';
import { devicePolicyModels } from './control/device-policy.ts';
import { foreignScreenModels } from './control/foreign-screens.ts';
import { packageInstallerModels } from './control/package-installer.ts';
import { postedNotificationModels } from './control/posted-notifications.ts';
import { remoteReplyModels } from './control/remote-replies.ts';
import { roleModels } from './control/roles.ts';
import { screenCaptureModels } from './control/screen-capture.ts';
import { takenOverModels } from './control/taken-over.ts';
import { clipboardModels } from './data/clipboard.ts';
import { contentModels } from './data/content.ts';
import { cursorModels } from './data/cursor.ts';
import { downloadModels } from './data/downloads.ts';
import { preferencesModels } from './data/preferences.ts';
import { providerOperationModels } from './data/provider-operations.ts';
import { settingsModels } from './data/settings.ts';
import { sqliteModels } from './data/sqlite.ts';
import { sqliteProgramModels } from './data/sqlite-programs.ts';
import { textModels } from './data/text.ts';
import { uriModels } from './data/uri.ts';
import { accountModels } from './phone/accounts.ts';
import { apacheHttpModels } from './phone/apache-http.ts';
import { appUsageModels } from './phone/app-usage.ts';
import { buildModels } from './phone/build.ts';
import { callControlModels } from './phone/call-control.ts';
import { callScreeningModels } from './phone/call-screening.ts';
import { cameraModels } from './phone/camera.ts';
import { camera2Models } from './phone/camera2.ts';
import { connectivityModels } from './phone/connectivity.ts';
import { keySpecModels } from './phone/key-specs.ts';
import { locationModels } from './phone/location.ts';
import { mediaModels } from './phone/media.ts';
import { networkSecurityModels } from './phone/network-security.ts';
import { networkModels } from './phone/networks.ts';
import { nfcModels } from './phone/nfc.ts';
import { packageModels } from './phone/packages.ts';
import { processModels } from './phone/processes.ts';
import { screenLockModels } from './phone/screen-lock.ts';
import { sensorModels } from './phone/sensors.ts';
import { storageModels } from './phone/storage.ts';
import { surfaceModels } from './phone/surfaces.ts';
import { telephonyModels } from './phone/telephony.ts';
import { textMessageModels } from './phone/text-messages.ts';
import { plainSubclassModels } from './plain-subclasses.ts';
import { configurationModels } from './resources/configuration.ts';
import { resourceModels } from './resources/resources.ts';
import { themeModels } from './resources/theme.ts';
import { xmlResourceModels } from './resources/xml-resources.ts';
import { actionBarModels } from './screens/action-bar.ts';
import { dialogFragmentModels } from './screens/dialog-fragments.ts';
import { dialogModels } from './screens/dialogs.ts';
import { fragmentModels } from './screens/fragments.ts';
import { listScreenModels } from './screens/list-screens.ts';
import { menuModels } from './screens/menus.ts';
import { notificationModels } from './screens/notifications.ts';
import { windowFrameModels } from './screens/window.ts';
import { adapterModels } from './views/adapters.ts';
import { animationModels } from './views/animation.ts';
import { graphicsModels } from './views/graphics.ts';
import { inflaterModels } from './views/inflater.ts';
import { inputEventModels } from './views/input-events.ts';
import { layoutParameterModels } from './views/layout-parameters.ts';
import { listViewModels } from './views/list-views.ts';
import { textViewModels } from './views/text-views.ts';
import { viewGroupModels } from './views/view-groups.ts';
import { viewLayoutModels } from './views/view-layout.ts';
import { viewListenerModels } from './views/view-listeners.ts';
import { viewModels } from './views/views.ts';
import { webModels } from './views/web.ts';
import { asyncTaskModels } from './work/async-tasks.ts';
import { clockModels } from './work/clock.ts';
import { handlerModels } from './work/handlers.ts';
import { loopModels } from './work/loop.ts';

const tables: readonly Models[] = [
  appWidgetModels,
  configurationModels,
  contextModels,
  activityThreadModels,
  activityModels,
  actionBarModels,
  fragmentModels,
  dialogFragmentModels,
  listScreenModels,
  serviceModels,
  accessibilityModels,
  foreignScreenModels,
  postedNotificationModels,
  remoteReplyModels,
  networkSecurityModels,
  loopModels,
  handlerModels,
  asyncTaskModels,
  clockModels,
  bundleModels,
  uriModels,
  inputEventModels,
  intentModels,
  intentFilterModels,
  componentNameModels,
  preferencesModels,
  resourceModels,
  themeModels,
  xmlResourceModels,
  inflaterModels,
  layoutParameterModels,
  viewModels,
  viewGroupModels,
  textViewModels,
  listViewModels,
  viewListenerModels,
  viewLayoutModels,
  animationModels,
  adapterModels,
  windowFrameModels,
  dialogModels,
  menuModels,
  notificationModels,
  webModels,
  cursorModels,
  sqliteModels,
  sqliteProgramModels,
  contentModels,
  providerOperationModels,
  settingsModels,
  telephonyModels,
  textMessageModels,
  nfcModels,
  callControlModels,
  callScreeningModels,
  locationModels,
  packageModels,
  accountModels,
  devicePolicyModels,
  roleModels,
  keySpecModels,
  buildModels,
  processModels,
  storageModels,
  connectivityModels,
  sensorModels,
  screenLockModels,
  networkModels,
  takenOverModels,
  mediaModels,
  cameraModels,
  camera2Models,
  surfaceModels,
  clipboardModels,
  screenCaptureModels,
  appUsageModels,
  downloadModels,
  packageInstallerModels,
  textModels,
  plainSubclassModels,
  graphicsModels,
  apacheHttpModels,
];

function completed(): Models {
  const all = mergedModels(tables);
  for (const descriptor of Object.keys(all)) all[descriptor] = withConstructors(descriptor, all);
  return all;
}

/** Constructors are not inherited in Java; a model that names none takes its superclass's, which do the same. */
function withConstructors(descriptor: string, all: Readonly<Record<string, Models[string]>>): Models[string] {
  const model = all[descriptor]!;
  if (model.isInterface === true) return model;
  const constructors: Record<string, NonNullable<Models[string]['methods']>[string]> = {};
  for (let each: Models[string] | undefined = model; each !== undefined; each = all[each.extends ?? '']) {
    for (const [signature, body] of Object.entries(each.methods ?? {})) {
      if (signature.startsWith('<init>')) constructors[signature] ??= body;
    }
  }
  return { ...model, methods: { ...constructors, ...model.methods } };
}

export const androidModels: Models = completed();
