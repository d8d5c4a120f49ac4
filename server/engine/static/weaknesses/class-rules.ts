// Methods that an app overrides and that take everything: trust managers, host name verifiers, web views' and screens' checks.
// Knows no calls' arguments.

import type { FindingCode } from '../../../contract/findings/finding-catalogue.ts';
import type { AppMethod, AppMethods } from '../../code/app-methods.ts';
import { type ClassPlace, superclassChain } from '../../code/class-hierarchy.ts';
import type { Definitions } from '../../code/definitions.ts';
import type { Origin, Origins } from '../../code/origins.ts';
import { type AppFacts, isConditional } from './call-site.ts';

/** A method as a rule sees it. */
export interface Overriding {
  readonly method: AppMethod;
  readonly definitions: Definitions;
  /** What it may answer; empty for void. */
  readonly answers: readonly Origin[];
  /** Names of the methods that it calls, `Lcom/a/B;->m`. */
  readonly called: readonly string[];
  readonly facts: AppFacts;
}

interface ClassRule {
  readonly code: FindingCode;
  /** An interface, or a class of the framework or of a library somewhere above. */
  readonly above: RegExp;
  /** Name of its method. */
  readonly method: string;
  judge(method: Overriding): string | null;
}

const hasThrow = ({ definitions }: Overriding): boolean =>
  definitions.body.instructions.some(({ opcode }) => opcode.mnemonic === 'throw');
const isCaught = ({ definitions: { body } }: Overriding, position: number): boolean => {
  const at = body.positions.indexOf(position);
  return body.tries.some(({ start, end }) => at >= start && at < end);
};
/** Calls that refuse no certificate: what they answer would have to be thrown by the method itself. */
const harmless =
  /^Lkotlin\/jvm\/internal\/Intrinsics;|^Landroid\/util\/Log;|^Ltimber\/|^Ljava\/(?:lang|io)\/|^Ljava\/security\/cert\/X509Certificate;->(?:get\w+|checkValidity|toString)$|^Ljava\/(?:util\/(?:logging|List|ArrayList|Arrays|Collection)|security\/(?:Principal|PublicKey))/;
const answersOnly = ({ answers }: Overriding, number: number): boolean =>
  answers.length > 0 && answers.every((origin) => origin.kind === 'constant' && origin.number === number);

const classRules: readonly ClassRule[] = [
  {
    code: 'weakness-trust-manager',
    above: /^Ljavax\/net\/ssl\/X509(?:Extended)?TrustManager;$/,
    method: 'checkServerTrusted',
    judge(method) {
      if (hasThrow(method)) return null;
      const { called, definitions } = method;
      const checks = [...definitions.calls.values()].filter(({ owner, name }) => !harmless.test(`${owner}->${name}`));
      if (checks.length > 0) {
        const isSwallowed = checks.every(
          ({ name, position }) => name === 'checkServerTrusted' && isCaught(method, position),
        );
        return isSwallowed ? 'what is wrong with the certificate is caught and forgotten' : null;
      }
      return called.some((name) => name.endsWith('->checkValidity'))
        ? 'only the dates are checked'
        : 'any certificate is accepted';
    },
  },
  {
    code: 'weakness-hostname-verifier',
    above: /^Ljavax\/net\/ssl\/HostnameVerifier;$|\/ssl\/X509HostnameVerifier;$/,
    method: 'verify',
    judge(method) {
      if (method.method.descriptor.endsWith(')Z')) return answersOnly(method, 1) ? 'any name is accepted' : null;
      return null;
    },
  },
  {
    code: 'weakness-webview-ssl-errors',
    above: /^Landroid\/webkit\/WebViewClient;$/,
    method: 'onReceivedSslError',
    judge: (method) =>
      method.called.includes('Landroid/webkit/SslErrorHandler;->proceed') && !isConditional(method.definitions)
        ? 'goes on whatever is wrong with the certificate'
        : null,
  },
  {
    code: 'weakness-fragment-injection',
    above: /^Landroid\/preference\/PreferenceActivity;$/,
    method: 'isValidFragment',
    judge: (method) => (answersOnly(method, 1) ? 'any fragment is accepted' : null),
  },
  {
    code: 'weakness-unchecked-broadcast',
    above: /^Landroid\/content\/BroadcastReceiver;$/,
    method: 'onReceive',
    judge: ({ method, called, facts }) =>
      facts.systemReceivers.has(method.owner) && !called.includes('Landroid/content/Intent;->getAction')
        ? 'takes any intent for the event of the system that it waits for'
        : null,
  },
];

/** Names of the methods that are judged: classes without any of them need not be looked at. */
export const judgedMethods: ReadonlySet<string> = new Set(classRules.map(({ method }) => method));

/** Names of the classes above a class, and of the interfaces of it and of those that the app defines. */
function namesAbove(app: AppMethods, place: ClassPlace): string[] {
  const chain = [...superclassChain(place.dex.className(place.classIndex), (name) => app.classes.placeOf(name))];
  const interfaces = chain.flatMap(({ place: at }) => {
    if (at === null) return [];
    const { interfacesOffset } = at.dex.classDef(at.classIndex);
    return interfacesOffset === 0 ? [] : at.dex.typeList(interfacesOffset).map((index) => at.dex.type(index));
  });
  return [...chain.slice(1).map(({ name }) => name), ...interfaces];
}

/** Judges the methods of one class of the app. */
export function* judgeClass(
  app: AppMethods,
  origins: Origins,
  facts: AppFacts,
  place: ClassPlace,
): Generator<{ code: FindingCode; method: AppMethod; evidence: string }> {
  const owner = place.dex.className(place.classIndex);
  const above = namesAbove(app, place);
  for (const rule of classRules) {
    if (!above.some((name) => rule.above.test(name))) continue;
    for (const method of app.methodsOf(owner).values()) {
      if (rule.method !== method.name) continue;
      const definitions = app.definitionsOf(method);
      if (definitions === null) continue;
      const answers = definitions.body.instructions.flatMap(({ opcode, registers }, position) =>
        opcode.isReturn && registers.length > 0 ? origins.ofRegister(method, position, registers[0]!) : [],
      );
      const called = [...definitions.calls.values()].map((call) => `${call.owner}->${call.name}`);
      const evidence = rule.judge({ method, definitions, answers, called, facts });
      if (evidence !== null) yield { code: rule.code, method, evidence };
    }
  }
}
