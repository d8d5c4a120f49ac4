// What an app does to the device: commands for root, a launcher icon that goes away, and whose finger it takes for its user's.
import { type CallRule, firstOf } from './call-rule.ts';
import type { CallSite } from './call-site.ts';

/** `COMPONENT_ENABLED_STATE_DISABLED`, `_DISABLED_USER` and `_DISABLED_UNTIL_USED` of `PackageManager`. */
const disabled: ReadonlySet<number> = new Set([2, 3, 4]);

/** Descriptors of the classes that a `ComponentName` argument may name; none where they are not known. */
function componentsIn(site: CallSite, argument: number): string[] {
  const origins = site.origins(argument);
  if (origins.some((origin) => origin.kind === 'call' && origin.call.name === 'getComponentName')) {
    return [site.method.owner.replace(/\$.*/, ';')];
  }
  return site
    .otherCallsOn(argument)
    .filter(({ name, argument: place }) => name === 'Landroid/content/ComponentName;-><init>' && place === 0)
    .flatMap(({ call }) => {
      const named = site.at(call);
      const texts = named.origins(2).flatMap((origin) => (origin.kind === 'constant' ? [origin.text] : []));
      return [
        ...texts.filter((text) => text.startsWith('L')),
        ...named.strings(2).map((name) => site.descriptorOf(name)),
      ];
    });
}

export const deviceRules: readonly CallRule[] = [
  {
    code: 'weakness-biometric',
    calls: {
      'Landroidx/biometric/BiometricPrompt;': 'authenticate',
      'Landroid/hardware/biometrics/BiometricPrompt;': 'authenticate',
      'Landroid/hardware/fingerprint/FingerprintManager;': 'authenticate',
    },
    judge(site) {
      const at = site.call.types.findIndex((type) => type.endsWith('CryptoObject;'));
      const isWithout = at < 0 || site.numbers(at)?.every((number) => number === 0);
      return isWithout ? 'no key is unlocked by it' : null;
    },
  },
  {
    code: 'code-root-command',
    calls: { 'Ljava/lang/Runtime;': 'exec', 'Ljava/lang/ProcessBuilder;': '<init> command' },
    judge: (site) => firstOf(site.strings(1), (text) => (/^(?:\/\S+\/)?su(?:\s|$)/.test(text) ? `"${text}"` : null)),
  },
  {
    code: 'code-hide-icon',
    calls: { 'Landroid/content/pm/PackageManager;': 'setComponentEnabledSetting' },
    judge(site) {
      const states = site.numbers(2);
      if (states !== null && !states.some((state) => disabled.has(state))) return null;
      const names = componentsIn(site, 1);
      const launcher = names.find((name) => site.facts.launchers.has(name));
      if (launcher !== undefined) return `disables ${launcher}, which the launcher shows`;
      if (names.length > 0 || states === null) return null;
      // What a screen keeps in a field is its own switch for one of its receivers; malware works the name out on the spot.
      const isKept = site.origins(1).every(({ kind }) => kind === 'field');
      return isKept ? null : 'disables a component that is chosen as it runs';
    },
  },
];
