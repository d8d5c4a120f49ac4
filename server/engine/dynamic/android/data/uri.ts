// Model of android.net.Uri and its builder. Knows no provider and no intent.
import { made } from '../../java/values.ts';
import type { HeapObject, JavaString, Taint, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { asString, flag, listOf, plain, type Reference, self, setOf, stateOf, text } from '../model-parts.ts';

export interface UriParts {
  scheme: string | null;
  /** Encoded, as all that follows. */
  schemeSpecific: string;
  authority: string | null;
  path: string | null;
  query: string | null;
  fragment: string | null;
}

/** Splits a URI as android.net.Uri does: leniently. */
export function splitUri(uri: string): UriParts {
  const hash = uri.indexOf('#');
  const fragment = hash < 0 ? null : uri.slice(hash + 1);
  const rest = hash < 0 ? uri : uri.slice(0, hash);
  const colon = rest.indexOf(':');
  const slash = rest.indexOf('/');
  const scheme = colon > 0 && (slash < 0 || colon < slash) ? rest.slice(0, colon) : null;
  const schemeSpecific = scheme === null ? rest : rest.slice(colon + 1);
  const isOpaque = scheme !== null && !schemeSpecific.startsWith('/');
  const mark = schemeSpecific.indexOf('?');
  const query = isOpaque || mark < 0 ? null : schemeSpecific.slice(mark + 1);
  const hierarchy = mark < 0 ? schemeSpecific : schemeSpecific.slice(0, mark);
  if (isOpaque) return { scheme, schemeSpecific, authority: null, path: null, query, fragment };
  if (!hierarchy.startsWith('//')) return { scheme, schemeSpecific, authority: null, path: hierarchy, query, fragment };
  const end = hierarchy.indexOf('/', 2);
  const authority = hierarchy.slice(2, end < 0 ? undefined : end);
  return { scheme, schemeSpecific, authority, path: end < 0 ? '' : hierarchy.slice(end), query, fragment };
}

export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}

/** Like Uri.encode: letters, digits and `_-!.~'()*` stay. */
export const encoded = (part: string, allowed = ''): string =>
  Array.from(part.isWellFormed() ? part : part.toWellFormed(), (character) =>
    allowed.includes(character) ? character : encodeURIComponent(character),
  ).join('');

interface UriState {
  readonly string: JavaString;
  parts: UriParts | null;
}

const uriOf = (uri: HeapObject): UriState => uri.native as UriState;
const partsOf = (uri: HeapObject): UriParts => {
  const state = uriOf(uri);
  state.parts ??= splitUri(state.string.text);
  return state.parts;
};

export function newUri(machine: Machine, value: string, taint: Taint = 0): HeapObject {
  const uri = machine.allocate('Landroid/net/Uri;');
  uri.native = { string: machine.string(value, taint), parts: null } satisfies UriState;
  uri.taint = taint;
  return uri;
}

/** The text of a Uri object; empty for null. */
export const uriText = (uri: Reference): string => (uri === null || !uri.native ? '' : uriOf(uri).string.text);

const part =
  (pick: (parts: UriParts) => string | null): NativeMethod =>
  (machine, me) =>
    text(machine, pick(partsOf(me)), me.taint);

const hostOf = ({ authority }: UriParts): string | null =>
  authority === null ? null : decoded(authority.replace(/^.*@/, '').replace(/:\d*$/, ''));
const segmentsOf = ({ path }: UriParts): string[] => (path ?? '').split('/').filter((segment) => segment !== '');

function queryPairs(query: string | null): (readonly [string, string])[] {
  return (query ?? '')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      return equals < 0
        ? [decoded(pair), '']
        : [decoded(pair.slice(0, equals)), decoded(pair.slice(equals + 1).replaceAll('+', ' '))];
    });
}

function joined({ scheme, schemeSpecific, authority, path, query, fragment }: UriParts): string {
  const body =
    authority === null && path === null
      ? schemeSpecific
      : `${authority === null ? '' : `//${authority}`}${path ?? ''}${query === null ? '' : `?${query}`}`;
  return `${scheme === null ? '' : `${scheme}:`}${body}${fragment === null ? '' : `#${fragment}`}`;
}

interface BuilderState {
  parts: UriParts;
  taint: Taint;
}

const noParts = (): UriParts => ({
  scheme: null,
  schemeSpecific: '',
  authority: null,
  path: null,
  query: null,
  fragment: null,
});
const builderOf = (builder: HeapObject): BuilderState =>
  stateOf<BuilderState>(builder, () => ({ parts: noParts(), taint: 0 }));

const change =
  (apply: (parts: UriParts, value: string, second: string) => void): NativeMethod =>
  (machine, me, value: Reference, second: Reference = null) => {
    const state = builderOf(me);
    apply(state.parts, plain(machine, value), plain(machine, second));
    for (const each of [value, second]) if (each !== null) state.taint = machine.union(state.taint, each.taint);
    return me;
  };

const builderType = 'Landroid/net/Uri$Builder;';
const withString = (name: string, arity = 1) => `${name}(${'Ljava/lang/String;'.repeat(arity)})${builderType}`;

const builderMethods: NativeMethods = {
  '<init>()V': made(() => ({ parts: noParts(), taint: 0 }) satisfies BuilderState),
  [withString('scheme')]: change((parts, value) => {
    parts.scheme = value;
  }),
  [withString('authority')]: change((parts, value) => {
    parts.authority = encoded(value, '@:');
    parts.path ??= '';
  }),
  [withString('encodedAuthority')]: change((parts, value) => {
    parts.authority = value;
    parts.path ??= '';
  }),
  [withString('path')]: change((parts, value) => {
    parts.path = `${value.startsWith('/') ? '' : '/'}${encoded(value, '/')}`;
  }),
  [withString('encodedPath')]: change((parts, value) => {
    parts.path = `${value.startsWith('/') ? '' : '/'}${value}`;
  }),
  [withString('appendPath')]: change((parts, value) => {
    parts.path = `${(parts.path ?? '').replace(/\/$/, '')}/${encoded(value)}`;
  }),
  [withString('appendEncodedPath')]: change((parts, value) => {
    parts.path = `${(parts.path ?? '').replace(/\/$/, '')}/${value}`;
  }),
  [withString('query')]: change((parts, value) => {
    parts.query = encoded(value, '=&');
  }),
  [withString('encodedQuery')]: change((parts, value) => {
    parts.query = value;
  }),
  [withString('appendQueryParameter', 2)]: change((parts, key, value) => {
    parts.query = `${parts.query === null || parts.query === '' ? '' : `${parts.query}&`}${encoded(key)}=${encoded(value)}`;
  }),
  [withString('fragment')]: change((parts, value) => {
    parts.fragment = encoded(value);
  }),
  [withString('opaquePart')]: change((parts, value) => {
    parts.schemeSpecific = encoded(value);
  }),
  [`clearQuery()${builderType}`]: (_machine, me) => {
    builderOf(me).parts.query = null;
    return me;
  },
  'build()Landroid/net/Uri;': (machine, me) => newUri(machine, joined(builderOf(me).parts), builderOf(me).taint),
  'toString()Ljava/lang/String;': (machine, me) => machine.string(joined(builderOf(me).parts), builderOf(me).taint),
};

const parse: NativeMethod = (machine, value: Reference) => {
  if (value === null) throw machine.exception('Ljava/lang/NullPointerException;', 'uriString');
  return newUri(machine, plain(machine, value), value.taint);
};

const uriMethods: NativeMethods = {
  'getScheme()Ljava/lang/String;': part(({ scheme }) => scheme),
  'getAuthority()Ljava/lang/String;': part(({ authority }) => (authority === null ? null : decoded(authority))),
  'getEncodedAuthority()Ljava/lang/String;': part(({ authority }) => authority),
  'getHost()Ljava/lang/String;': part(hostOf),
  'getPort()I': (_machine, me) => Number(/:(\d+)$/.exec(partsOf(me).authority ?? '')?.[1] ?? -1),
  'getUserInfo()Ljava/lang/String;': part(({ authority }) => /^(.*)@/.exec(authority ?? '')?.[1] ?? null),
  'getPath()Ljava/lang/String;': part(({ path }) => (path === null ? null : decoded(path))),
  'getEncodedPath()Ljava/lang/String;': part(({ path }) => path),
  'getQuery()Ljava/lang/String;': part(({ query }) => (query === null ? null : decoded(query))),
  'getEncodedQuery()Ljava/lang/String;': part(({ query }) => query),
  'getFragment()Ljava/lang/String;': part(({ fragment }) => (fragment === null ? null : decoded(fragment))),
  'getEncodedFragment()Ljava/lang/String;': part(({ fragment }) => fragment),
  'getSchemeSpecificPart()Ljava/lang/String;': part(({ schemeSpecific }) => decoded(schemeSpecific)),
  'getEncodedSchemeSpecificPart()Ljava/lang/String;': part(({ schemeSpecific }) => schemeSpecific),
  'getLastPathSegment()Ljava/lang/String;': part((parts) => {
    const last = segmentsOf(parts).at(-1);
    return last === undefined ? null : decoded(last);
  }),
  'getPathSegments()Ljava/util/List;': (machine, me) =>
    listOf(
      machine,
      segmentsOf(partsOf(me)).map((segment) => machine.string(decoded(segment), me.taint)),
    ),
  'getQueryParameter(Ljava/lang/String;)Ljava/lang/String;': (machine, me, name: Reference) =>
    text(machine, queryPairs(partsOf(me).query).find(([key]) => key === plain(machine, name))?.[1], me.taint),
  'getQueryParameters(Ljava/lang/String;)Ljava/util/List;': (machine, me, name: Reference) =>
    listOf(
      machine,
      queryPairs(partsOf(me).query)
        .filter(([key]) => key === plain(machine, name))
        .map(([, value]) => machine.string(value, me.taint)),
    ),
  'getQueryParameterNames()Ljava/util/Set;': (machine, me) =>
    setOf(
      machine,
      queryPairs(partsOf(me).query).map(([key]) => machine.string(key, me.taint)),
    ),
  'getBooleanQueryParameter(Ljava/lang/String;Z)Z': (machine, me, name: Reference, otherwise: number) => {
    const value = queryPairs(partsOf(me).query).find(([key]) => key === plain(machine, name))?.[1];
    return value === undefined ? otherwise : flag(value !== 'false' && value !== '0');
  },
  'isAbsolute()Z': (_machine, me) => partsOf(me).scheme !== null,
  'isRelative()Z': (_machine, me) => partsOf(me).scheme === null,
  'isOpaque()Z': (_machine, me) => partsOf(me).path === null,
  'isHierarchical()Z': (_machine, me) => partsOf(me).path !== null,
  'buildUpon()Landroid/net/Uri$Builder;': (machine, me) => {
    const builder = machine.allocate(builderType);
    builder.native = { parts: { ...partsOf(me) }, taint: me.taint } satisfies BuilderState;
    return builder;
  },
  'normalizeScheme()Landroid/net/Uri;': self,
  'toString()Ljava/lang/String;': (machine, me) => machine.string(uriText(me), me.taint),
  'hashCode()I': (machine, me) => machine.hashCode(machine.string(uriText(me))),
  'equals(Ljava/lang/Object;)Z': (_machine, me, other: Reference) =>
    other !== null && other.cls === me.cls && uriText(other) === uriText(me),
  'compareTo(Landroid/net/Uri;)I': (_machine, me, other: Reference) =>
    uriText(me) < uriText(other) ? -1 : uriText(me) > uriText(other) ? 1 : 0,
};

const encode: NativeMethod = (machine, value: Reference, allowed: Reference = null): Value => {
  const string = asString(machine, value);
  return string === null ? null : machine.string(encoded(string.text, plain(machine, allowed)), string.taint);
};

export const uriModels: Models = {
  'Landroid/net/Uri;': {
    implements: ['Landroid/os/Parcelable;', 'Ljava/lang/Comparable;'],
    methods: uriMethods,
    staticMethods: {
      'parse(Ljava/lang/String;)Landroid/net/Uri;': parse,
      'fromFile(!Ljava/io/File;)Landroid/net/Uri;': (machine, file: HeapObject) => {
        const path = machine.call(file, 'getAbsolutePath()Ljava/lang/String;') as JavaString;
        return newUri(machine, `file://${encoded(path.text, '/')}`, path.taint);
      },
      'fromParts(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)Landroid/net/Uri;': (
        machine,
        scheme: Reference,
        specific: Reference,
        fragment: Reference,
      ) => {
        const tail = fragment === null ? '' : `#${encoded(plain(machine, fragment))}`;
        const taint = [scheme, specific, fragment].reduce<Taint>(
          (all, value) => machine.union(all, value?.taint ?? 0),
          0,
        );
        return newUri(machine, `${plain(machine, scheme)}:${encoded(plain(machine, specific))}${tail}`, taint);
      },
      'withAppendedPath(!Landroid/net/Uri;Ljava/lang/String;)Landroid/net/Uri;': (
        machine,
        base: HeapObject,
        segment: Reference,
      ) =>
        newUri(
          machine,
          `${uriText(base).replace(/\/$/, '')}/${plain(machine, segment)}`,
          machine.union(base.taint, segment?.taint ?? 0),
        ),
      'encode(Ljava/lang/String;)Ljava/lang/String;': encode,
      'encode(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;': encode,
      'decode(Ljava/lang/String;)Ljava/lang/String;': (machine, value: Reference) =>
        value === null ? null : machine.string(decoded(plain(machine, value)), value.taint),
    },
    constants: {
      'EMPTY:Landroid/net/Uri;': (machine) => newUri(machine, ''),
      'CREATOR:Landroid/os/Parcelable$Creator;': null,
    },
  },
  'Landroid/net/Uri$Builder;': { methods: builderMethods },
  'Landroid/content/ContentUris;': {
    staticMethods: {
      'withAppendedId(!Landroid/net/Uri;J)Landroid/net/Uri;': (machine, base: HeapObject, id: bigint) =>
        newUri(
          machine,
          `${uriText(base).replace(/\/$/, '')}/${id}`,
          machine.union(base.taint, machine.argumentTaint(1)),
        ),
      'parseId(Landroid/net/Uri;)J': (_machine, uri: HeapObject) =>
        BigInt(/\/(\d{1,18})$/.exec(uriText(uri))?.[1] ?? -1),
    },
  },
  'Landroid/content/UriMatcher;': {
    methods: {
      '<init>(I)V': made((_machine, noMatch: number) => ({ noMatch, rules: [] }) satisfies MatcherState),
      'addURI(Ljava/lang/String;Ljava/lang/String;I)V': (
        machine,
        me,
        authority: Reference,
        path: Reference,
        code: number,
      ) => {
        const segments = plain(machine, path)
          .split('/')
          .filter((segment) => segment !== '');
        const name = plain(machine, authority);
        (me.native as MatcherState).rules.push({ authority: name, segments, code });
        note(machine, name, segments);
      },
      'match(!Landroid/net/Uri;)I': (_machine, me, uri: HeapObject) => {
        const { noMatch, rules } = me.native as MatcherState;
        const parts = partsOf(uri);
        const segments = segmentsOf(parts);
        const rule = rules.find(
          (each) =>
            each.authority === parts.authority &&
            each.segments.length === segments.length &&
            each.segments.every((wanted, index) =>
              wanted === '*' ? true : wanted === '#' ? /^\d+$/.test(segments[index]!) : wanted === segments[index],
            ),
        );
        return rule?.code ?? noMatch;
      },
    },
    constants: { 'NO_MATCH:I': -1 },
  },
};

const matchedPaths = (machine: Machine): Map<string, Set<string>> =>
  machine.state('android.matched-paths', () => new Map<string, Set<string>>());
const maxPaths = 20;

/** A path that a provider tells from others, with something in the place of what may stand there. */
function note(machine: Machine, authority: string, segments: readonly string[]): void {
  const all = matchedPaths(machine);
  const paths = all.get(authority) ?? new Set<string>();
  if (all.size < maxPaths) all.set(authority, paths);
  const path = segments.map((segment) => (segment === '#' ? '1' : segment === '*' ? 'ok' : segment)).join('/');
  if (paths.size < maxPaths) paths.add(path);
}

/** Addresses that the app's providers know, of one authority. */
export const knownAddresses = (machine: Machine, authority: string): string[] =>
  [...(matchedPaths(machine).get(authority) ?? [])].map((path) => `content://${authority}/${path}`);

interface MatcherState {
  noMatch: number;
  rules: { authority: string; segments: string[]; code: number }[];
}
