// What web views show, run and are let do. Knows no other rules on what crosses the border of the app.

import type { Origin } from '../../code/origins.ts';
import { type CallRule, context, inPageMethod, isCallOf, isOneOf, simple, typed } from './call-rule.ts';
import type { CallSite } from './call-site.ts';

const intentInputs =
  /^Landroid\/content\/Intent;->get(?:StringExtra|Data|DataString|Parcelable|Extras|Serializable)|^Landroid\/os\/(?:Base)?Bundle;->get(?:String|Parcelable)|^Landroid\/net\/Uri;->get/;

/** By which an address is held against those that may be shown; its end alone says nothing. */
const addressChecks =
  /->(?:getHost|getAuthority|startsWith|matches|equals|equalsIgnoreCase|getScheme|find|areEqual|htmlEncode|encode)$/;

/** Parts of addresses, and texts that may be addresses of somebody else's. */
const host = /->get(?:Host|Authority)$/;
const foreignAddress =
  /^Landroid\/content\/Intent;->get(?:StringExtra|Data|DataString)$|^Landroid\/net\/Uri;->get|^Ljava\/net\/UR[IL];->get|WebResourceRequest;->getUrl$/;
const domain = /^[\w-]+(?:\.[\w-]+)+$/;
const textChecks = {
  'Ljava/lang/String;': 'endsWith startsWith contains',
  'Lkotlin/text/StringsKt;': 'endsWith$default startsWith$default contains$default',
};

/** Whether a web view goes, without a look, where its page wants. */
const isAnyLink = (site: CallSite, origins: readonly Origin[]): boolean =>
  site.method.name === 'shouldOverrideUrlLoading' &&
  !site.isConditional &&
  origins.some(
    (origin) =>
      isCallOf(origin, /WebResourceRequest;->getUrl$/) ||
      (origin.kind === 'parameter' && origin.method === site.method && origin.place === 2),
  );

/** Why a comparison says little of whose address it is; null where it does, or what is compared is no address. */
function weakCheck(site: CallSite): string | null {
  const text = site.constant(1);
  if (text === null) return null;
  const origins = site.origins(0);
  const isHost = origins.some((origin) => isCallOf(origin, host));
  const isAddress =
    isHost ||
    origins.some(
      (origin) => isCallOf(origin, foreignAddress) || (origin.kind === 'parameter' && inPageMethod(origin.method)),
    );
  if (!isAddress) return null;
  const part = text.slice(1, -1);
  switch (site.call.name.replace('$default', '')) {
    case 'endsWith':
      return domain.test(part) ? `a host may end with ${text} without a dot before it` : null;
    case 'contains':
      return domain.test(part) ? `any address may contain ${text}` : null;
    default:
      return (isHost ? domain : /^https?:\/\/[\w.-]+$/).test(part) ? `a host may go on behind ${text}` : null;
  }
}

export const webViewRules: readonly CallRule[] = [
  {
    code: 'weakness-page-intent',
    calls: {
      [context]: 'startActivity',
      'Landroid/app/Activity;': 'startActivity startActivityForResult startActivityIfNeeded',
    },
    beside: { methods: { 'Landroid/content/Intent;': 'parseUri' } },
    judge(site) {
      const passed = site.origins(1).find((origin) => isCallOf(origin, /^Landroid\/content\/Intent;->parseUri$/));
      if (!inPageMethod(site.method) || passed?.kind !== 'call') return null;
      const isNarrowed = site.isChecked(
        passed,
        /^Landroid\/content\/Intent;->(?:addCategory|setComponent|setSelector|setPackage)$/,
      );
      return isNarrowed ? null : 'the page names the component that is started';
    },
  },
  {
    code: 'weakness-webview-input',
    calls: { 'Landroid/webkit/WebView;': 'loadUrl loadData loadDataWithBaseURL evaluateJavascript postUrl' },
    judge(site) {
      for (let argument = 1; argument < Math.min(site.count, 3); argument++) {
        const origins = site.origins(argument);
        if (origins.some((origin) => isCallOf(origin, /^Landroid\/os\/Environment;->getExternalStorage\w*Directory$/)))
          return 'shows a file that other apps can change';
        const origin = origins.find((each) => isCallOf(each, intentInputs) || isOneOf(each, typed));
        if (isAnyLink(site, origins)) return { evidence: 'shows whatever a page links to', severity: 'low' };
        if (origin?.kind !== 'call' || site.isChecked(origin, addressChecks)) continue;
        const evidence = `shows what ${simple(origin.call.owner)}.${origin.call.name}() brings`;
        // Its own user, and its own screens, are no strangers.
        return site.isInExported() && !isOneOf(origin, typed) ? evidence : { evidence, severity: 'low' };
      }
      return null;
    },
  },
  {
    code: 'weakness-webview-settings',
    calls: {
      'Landroid/webkit/WebSettings;':
        'setAllowFileAccess setAllowFileAccessFromFileURLs setAllowUniversalAccessFromFileURLs setAllowContentAccess setMixedContentMode setSavePassword setPluginState',
      'Landroid/webkit/CookieManager;': 'setAcceptFileSchemeCookies',
    },
    judge(site) {
      const { name } = site.call;
      const values = site.numbers(1);
      if (name === 'setMixedContentMode') return values?.includes(0) ? 'MIXED_CONTENT_ALWAYS_ALLOW' : null;
      if (name === 'setPluginState') {
        const isOn = site.origins(1).some((origin) => origin.kind === 'field' && /PluginState;->ON/.test(origin.field));
        return isOn ? 'plugins run in pages' : null;
      }
      return values?.includes(1) ? `${name}(true)` : null;
    },
  },
  {
    code: 'weakness-javascript-interface',
    calls: { 'Landroid/webkit/WebView;': 'addJavascriptInterface' },
    judge: (site) =>
      site.facts.minSdkVersion < 17
        ? `below Android 4.2 pages reach every method of the object; min SDK is ${site.facts.minSdkVersion}`
        : null,
  },
  {
    code: 'weakness-webview-scripts',
    calls: { 'Landroid/webkit/WebSettings;': 'setJavaScriptEnabled' },
    judge: (site) => (site.numbers(1)?.includes(1) ? 'setJavaScriptEnabled(true)' : null),
  },
  {
    code: 'weakness-host-check',
    calls: textChecks,
    beside: {
      methods: {
        'Landroid/net/Uri;': 'getHost getAuthority getQueryParameter',
        'Ljava/net/URL;': 'getHost getAuthority',
        'Ljava/net/URI;': 'getHost getAuthority',
        'Landroid/content/Intent;': 'getStringExtra getDataString',
        'Landroid/webkit/WebResourceRequest;': 'getUrl',
      },
    },
    judge: weakCheck,
  },
  { code: 'weakness-host-check', calls: textChecks, in: inPageMethod, judge: weakCheck },
  {
    code: 'weakness-webview-permission',
    calls: {
      'Landroid/webkit/GeolocationPermissions$Callback;': 'invoke',
      'Landroid/webkit/PermissionRequest;': 'grant',
    },
    judge: (site) =>
      /^on(?:GeolocationPermissionsShowPrompt|PermissionRequest)$/.test(site.method.name) &&
      !site.isConditional &&
      (site.call.name === 'grant' || site.numbers(2)?.includes(1))
        ? 'any page gets what it asks for'
        : null,
  },
  {
    code: 'weakness-http-authentication',
    calls: { 'Landroid/webkit/HttpAuthHandler;': 'proceed' },
    judge: (site) => (site.isConditional ? null : 'whatever server asks gets user and password'),
  },
];
