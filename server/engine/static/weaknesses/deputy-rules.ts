// What components do for other apps: with files, settings and addresses that those name. Knows no web view.
import { type CallRule, context, foreignIn, inExported, isCallOf } from './call-rule.ts';

const openers = 'openInputStream openFileDescriptor openAssetFileDescriptor openTypedAssetFileDescriptor';
const settings = 'putString putInt putLong putFloat';

/** Keys under which apps keep where they send what is typed. */
const isAddressKey = (name: string): boolean =>
  /(?:^|_)(?:url|uri|host|server|endpoint|domain|proxy|address)(?:_|$)/.test(
    name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase(),
  );
/** By which an address is held against those that are the app's. */
const addressChecks = /->(?:startsWith|endsWith|matches|contains\w*|isValidUrl|isHttpsUrl|areEqual)$/;

export const deputyRules: readonly CallRule[] = [
  {
    code: 'weakness-deputy',
    in: inExported,
    calls: {
      'Landroid/provider/Settings$System;': settings,
      'Landroid/provider/Settings$Secure;': settings,
      'Landroid/provider/Settings$Global;': settings,
      'Landroid/app/ActivityManager;': 'killBackgroundProcesses restartPackage',
      'Landroid/content/ContentResolver;': 'openOutputStream insert update delete',
      'Landroid/net/http/HttpResponseCache;': 'install',
      'Landroid/webkit/CookieManager;': 'setCookie',
      'Landroid/webkit/GeolocationPermissions;': 'allow',
      'Ljava/lang/System;': 'setProperty',
      'Ljava/net/URL;': '<init>',
      'Lokhttp3/HttpUrl$Builder;': 'host',
      'Lokhttp3/Request$Builder;': 'url',
      [context]: 'grantUriPermission getSharedPreferences deleteFile deleteDatabase',
    },
    judge(site) {
      // The receiver is a resolver or context, which no other app can choose.
      for (let argument = site.call.name === 'setProperty' ? 0 : 1; argument < site.count; argument++) {
        const input = foreignIn(site, argument);
        if (input !== null) return `given ${input}`;
      }
      return null;
    },
  },
  {
    code: 'weakness-deputy',
    calls: { 'Landroid/content/SharedPreferences$Editor;': 'putString' },
    judge(site) {
      const key = site.strings(1).find(isAddressKey);
      if (key === undefined) return null;
      // Also through the app's own classes: what counts is where the other app's value comes from.
      const isForeign = site
        .origins(2)
        .some(
          (origin) =>
            origin.kind === 'call' &&
            isCallOf(origin, /^Landroid\/(?:content\/Intent|net\/Uri);->get/) &&
            inExported({ ...origin.method, facts: site.facts }) &&
            !site.isChecked(origin, addressChecks) &&
            !site.isBeside(addressChecks, origin.method),
        );
      return isForeign ? `keeps as "${key}" what another app or a link names` : null;
    },
  },
  {
    code: 'weakness-intent-redirection',
    in: inExported,
    calls: {
      'Landroid/content/Intent;': 'setClassName',
      'Landroid/content/ComponentName;': '<init> unflattenFromString',
    },
    judge(site) {
      const input = foreignIn(site, site.count - 1);
      return input === null ? null : { evidence: `the component is named by ${input}`, severity: 'medium' };
    },
  },
  {
    code: 'weakness-foreign-file',
    calls: { 'Landroid/content/ContentResolver;': openers, 'Landroid/provider/MediaStore$Images$Media;': 'getBitmap' },
    judge(site) {
      for (const origin of site.origins(1)) {
        if (
          !isCallOf(
            origin,
            /^Landroid\/content\/(?:Intent;->get(?:Data|ParcelableExtra|Parcelable|StringExtra)|ClipData\$Item;->getUri)$/,
          )
        )
          continue;
        if (origin.kind !== 'call') continue;
        const isChecked = [site.method, origin.method].some((method) =>
          site.isBeside(/->(?:getScheme|getAuthority|getHost|getCanonicalPath|check\w*UriPermission\w*)$/, method),
        );
        if (isChecked) continue;
        if (origin.method.name === 'onActivityResult')
          return { evidence: 'a file that the answering app names', severity: 'low' };
        if (inExported({ ...origin.method, facts: site.facts }))
          return 'a file that another app names, of this one maybe';
      }
      return null;
    },
  },
];
