// Every model of the Android framework, in one table. Knows no machine.
import type { Models } from '../machine/model.ts';
import { accessibilityModels } from './accessibility.ts';
import { accountModels } from './accounts.ts';
import { actionBarModels } from './action-bar.ts';
import { activityModels } from './activity.ts';
import { activityThreadModels } from './activity-thread.ts';
import { adapterModels } from './adapters.ts';
import { animationModels } from './animation.ts';
import { apacheHttpModels } from './apache-http.ts';
import { appUsageModels } from './app-usage.ts';
import { appWidgetModels } from './app-widgets.ts';
import { asyncTaskModels } from './async-tasks.ts';
import { bundleModels } from './bundle.ts';
import { callControlModels } from './call-control.ts';
import { callScreeningModels } from './call-screening.ts';
import { cameraModels } from './camera.ts';
import { camera2Models } from './camera2.ts';
import { clipboardModels } from './clipboard.ts';
import { clockModels } from './clock.ts';
import { componentNameModels } from './component-name.ts';
import { configurationModels } from './configuration.ts';
import { contentModels } from './content.ts';
import { contextModels } from './context.ts';
import { cursorModels } from './cursor.ts';
import { deviceModels } from './device.ts';
import { devicePolicyModels } from './device-policy.ts';
import { dialogFragmentModels } from './dialog-fragments.ts';
import { dialogModels } from './dialogs.ts';
import { downloadModels } from './downloads.ts';
import { foreignScreenModels } from './foreign-screens.ts';
import { fragmentModels } from './fragments.ts';
import { graphicsModels } from './graphics.ts';
import { handlerModels } from './handlers.ts';
import { inflaterModels } from './inflater.ts';
import { inputEventModels } from './input-events.ts';
import { intentModels } from './intent.ts';
import { intentFilterModels } from './intent-filter.ts';
import { keySpecModels } from './key-specs.ts';
import { layoutParameterModels } from './layout-parameters.ts';
import { listScreenModels } from './list-screens.ts';
import { listViewModels } from './list-views.ts';
import { locationModels } from './location.ts';
import { loopModels } from './loop.ts';
import { mediaModels } from './media.ts';
import { menuModels } from './menus.ts';
import { moreModels } from './more-classes.ts';
import { networkSecurityModels } from './network-security.ts';
import { networkModels } from './networks.ts';
import { nfcModels } from './nfc.ts';
import { notificationModels } from './notifications.ts';
import { packageInstallerModels } from './package-installer.ts';
import { packageModels } from './packages.ts';
import { postedNotificationModels } from './posted-notifications.ts';
import { preferencesModels } from './preferences.ts';
import { providerOperationModels } from './provider-operations.ts';
import { remoteReplyModels } from './remote-replies.ts';
import { resourceModels } from './resources.ts';
import { roleModels } from './roles.ts';
import { screenCaptureModels } from './screen-capture.ts';
import { serviceModels } from './services.ts';
import { settingsModels } from './settings.ts';
import { sqliteModels } from './sqlite.ts';
import { sqliteProgramModels } from './sqlite-programs.ts';
import { surfaceModels } from './surfaces.ts';
import { takenOverModels } from './taken-over.ts';
import { telephonyModels } from './telephony.ts';
import { textModels } from './text.ts';
import { textMessageModels } from './text-messages.ts';
import { textViewModels } from './text-views.ts';
import { themeModels } from './theme.ts';
import { uriModels } from './uri.ts';
import { viewGroupModels } from './view-groups.ts';
import { viewLayoutModels } from './view-layout.ts';
import { viewListenerModels } from './view-listeners.ts';
import { viewModels } from './views.ts';
import { webModels } from './web.ts';
import { windowFrameModels } from './window.ts';
import { xmlResourceModels } from './xml-resources.ts';

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
  deviceModels,
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
  moreModels,
  graphicsModels,
  apacheHttpModels,
];

/** Parts of one class that stand in two rooms are put together. */
function merged(): Models {
  const all: Record<string, Models[string]> = {};
  for (const table of tables) {
    for (const [descriptor, model] of Object.entries(table)) {
      const known = all[descriptor];
      all[descriptor] =
        known === undefined
          ? model
          : {
              ...known,
              ...model,
              methods: { ...known.methods, ...model.methods },
              staticMethods: { ...known.staticMethods, ...model.staticMethods },
              constants: { ...known.constants, ...model.constants },
            };
    }
  }
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

export const androidModels: Models = merged();
