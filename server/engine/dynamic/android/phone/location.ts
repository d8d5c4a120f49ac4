// Models of LocationManager and Location. Knows no map.
import { illegalArgument } from '../../java/values.ts';
import type { HeapObject, Taint, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { placeAt } from '../../world/people.ts';
import { post } from '../components/activity-life.ts';
import { appOf } from '../components/app.ts';
import { handOver } from '../components/delivery.ts';
import {
  always,
  callIfThere,
  each,
  listOf,
  no,
  none,
  nothing,
  plain,
  type Reference,
  stateOf,
  yes,
} from '../model-parts.ts';

interface LocationState {
  provider: string;
  latitude: number;
  longitude: number;
  altitude: number;
  accuracy: number;
  time: number;
}

const locationOf = (location: HeapObject): LocationState =>
  stateOf<LocationState>(location, () => ({
    provider: 'gps',
    latitude: 0,
    longitude: 0,
    altitude: 0,
    accuracy: 0,
    time: 0,
  }));

/** Where the phone is now, tainted as DroidBox names the ways it can be asked. */
function newLocation(machine: Machine, provider: string, isLast: boolean, api: string): HeapObject {
  const place = placeAt(machine.clock.elapsed);
  const location = machine.allocate('Landroid/location/Location;');
  location.native = {
    ...place,
    provider,
    accuracy: provider === 'gps' ? 8 : 40,
    time: machine.clock.wall,
  } satisfies LocationState;
  const tag = isLast
    ? 'TAINT_LOCATION_LAST'
    : provider === 'gps'
      ? 'TAINT_LOCATION_GPS'
      : provider === 'network'
        ? 'TAINT_LOCATION_NET'
        : 'TAINT_LOCATION';
  location.taint = machine.source(tag, api);
  return location;
}

const read =
  (pick: (state: LocationState) => Value): NativeMethod =>
  (machine, me) => {
    machine.setResultTaint(me.taint);
    return pick(locationOf(me));
  };

const write =
  (name: 'latitude' | 'longitude' | 'altitude' | 'accuracy'): NativeMethod =>
  (machine, me, value: number) => {
    locationOf(me)[name] = value;
    me.taint = machine.union(me.taint, machine.argumentTaint(1));
  };

const locationMethods: NativeMethods = {
  '<init>(Ljava/lang/String;)V': (machine, me, provider: Reference) => {
    locationOf(me).provider = plain(machine, provider);
  },
  '<init>(!Landroid/location/Location;)V': (_machine, me, other: HeapObject) => {
    me.native = { ...locationOf(other) };
    me.taint = other.taint;
  },
  'getLatitude()D': read(({ latitude }) => latitude),
  'getLongitude()D': read(({ longitude }) => longitude),
  'getAltitude()D': read(({ altitude }) => altitude),
  'getAccuracy()F': read(({ accuracy }) => accuracy),
  'getSpeed()F': read(() => Math.fround(1.4)),
  'getBearing()F': read(() => 87),
  'getTime()J': (_machine, me) => BigInt(Math.trunc(locationOf(me).time)),
  'getElapsedRealtimeNanos()J': (machine) => BigInt(Math.trunc(machine.clock.elapsed)) * 1_000_000n,
  'getProvider()Ljava/lang/String;': (machine, me) => machine.string(locationOf(me).provider),
  ...each(yes, 'hasAccuracy()Z', 'hasAltitude()Z', 'hasSpeed()Z', 'hasBearing()Z'),
  'isFromMockProvider()Z': no,
  'getExtras()Landroid/os/Bundle;': none,
  'setLatitude(D)V': write('latitude'),
  'setLongitude(D)V': write('longitude'),
  'setAltitude(D)V': write('altitude'),
  'setAccuracy(F)V': write('accuracy'),
  'setTime(J)V': (_machine, me, time: bigint) => {
    locationOf(me).time = Number(time);
  },
  'setProvider(Ljava/lang/String;)V': nothing,
  'distanceTo(!Landroid/location/Location;)F': (machine, me, other: HeapObject) => {
    machine.setResultTaint(machine.union(me.taint, other.taint));
    return Math.fround(distance(locationOf(me), locationOf(other)));
  },
  'toString()Ljava/lang/String;': (machine, me) => {
    const { provider, latitude, longitude, accuracy } = locationOf(me);
    return machine.string(
      `Location[${provider} ${latitude.toFixed(6)},${longitude.toFixed(6)} hAcc=${accuracy}]`,
      me.taint,
    );
  },
};

/** Metres on a sphere, which differs from the ellipsoid by less than the phone's accuracy. */
function distance(from: LocationState, to: LocationState): number {
  const radians = Math.PI / 180;
  const half = (angle: number) => Math.sin((angle * radians) / 2) ** 2;
  const a =
    half(to.latitude - from.latitude) +
    Math.cos(from.latitude * radians) * Math.cos(to.latitude * radians) * half(to.longitude - from.longitude);
  return 2 * 6_371_000 * Math.asin(Math.sqrt(a));
}

/** A provider name among the arguments, else the best one. */
const providerIn = (machine: Machine, args: readonly Value[]): string => {
  const name = args.find(
    (arg) => arg !== null && typeof arg === 'object' && arg.cls.descriptor === 'Ljava/lang/String;',
  );
  return name === undefined ? 'gps' : plain(machine, name as Reference);
};

const listenerType = 'Landroid/location/LocationListener;';
/** Milliseconds until a listener first hears where the phone is. */
const firstPlace = 1_000;
/** Listeners that were told, or soon will be. */
const placed = (machine: Machine): WeakSet<HeapObject> =>
  machine.state('android.placed', () => new WeakSet<HeapObject>());

const request =
  (isOnce: boolean): NativeMethod =>
  (machine, _me, ...args: Value[]) => {
    const app = appOf(machine);
    const provider = providerIn(machine, args);
    for (const arg of args) {
      if (arg === null || typeof arg !== 'object') continue;
      const object = arg as HeapObject;
      if (object.cls.descriptor === 'Landroid/app/PendingIntent;') handOver(machine, object, 'location', false);
      if (!machine.isInstance(object, listenerType)) continue;
      const key = `location#${app.numberOf(object)}`;
      const isFirst = !placed(machine).has(object);
      placed(machine).add(object);
      const tellFirst = () => {
        const listener = app.listener(key);
        if (isOnce) app.unlisten(key);
        listener?.fire();
      };
      if (isFirst) post(machine, firstPlace, object.cls.name, tellFirst);
      app.listen(key, {
        kind: 'location',
        isOnce,
        fire: () => {
          callIfThere(
            machine,
            object,
            'onStatusChanged(Ljava/lang/String;ILandroid/os/Bundle;)V',
            machine.string(provider),
            2,
            null,
          );
          callIfThere(machine, object, 'onProviderEnabled(Ljava/lang/String;)V', machine.string(provider));
          machine.call(
            object,
            'onLocationChanged(Landroid/location/Location;)V',
            newLocation(machine, provider, false, 'LocationListener.onLocationChanged'),
          );
          callIfThere(machine, object, 'onProviderDisabled(Ljava/lang/String;)V', machine.string(provider));
        },
      });
    }
  };

const S = 'Ljava/lang/String;';
const P = 'Landroid/app/PendingIntent;';
const L = 'Landroid/os/Looper;';

/** The place at once, by a consumer. */
const currentLocation: NativeMethod = (machine, _me, provider: Reference, ...args: Value[]) => {
  const consumer = args.at(-1) as Reference;
  if (consumer === null) return;
  const place = newLocation(machine, plain(machine, provider), false, 'LocationManager.getCurrentLocation');
  post(machine, 500, consumer.cls.name, () => machine.call(consumer, 'accept(Ljava/lang/Object;)V', place));
};

const managerMethods: NativeMethods = {
  [`getCurrentLocation(${S}Landroid/os/CancellationSignal;Ljava/util/concurrent/Executor;Ljava/util/function/Consumer;)V`]:
    currentLocation,
  ...each(
    request(false),
    `requestLocationUpdates(${S}JF${listenerType})V`,
    `requestLocationUpdates(${S}JF${listenerType}${L})V`,
    `requestLocationUpdates(JFLandroid/location/Criteria;${listenerType}${L})V`,
    `requestLocationUpdates(${S}JF${P})V`,
    `requestLocationUpdates(JFLandroid/location/Criteria;${P})V`,
  ),
  ...each(
    request(true),
    `requestSingleUpdate(${S}${listenerType}${L})V`,
    `requestSingleUpdate(Landroid/location/Criteria;${listenerType}${L})V`,
    `requestSingleUpdate(${S}${P})V`,
  ),
  [`removeUpdates(${listenerType})V`]: (machine, _me, listener: Reference) => {
    if (listener === null) throw illegalArgument(machine, 'invalid null listener');
    appOf(machine).unlisten(`location#${appOf(machine).numberOf(listener)}`);
  },
  [`removeUpdates(${P})V`]: nothing,
  [`getLastKnownLocation(${S})Landroid/location/Location;`]: (machine, _me, provider: Reference) =>
    newLocation(machine, plain(machine, provider), true, 'LocationManager.getLastKnownLocation'),
  [`isProviderEnabled(${S})Z`]: yes,
  'isLocationEnabled()Z': yes,
  [`getBestProvider(Landroid/location/Criteria;Z)${S}`]: always('gps'),
  ...each(
    (machine) => listOf(machine, [machine.string('gps'), machine.string('network')]),
    'getProviders(Z)Ljava/util/List;',
    'getAllProviders()Ljava/util/List;',
    'getProviders(Landroid/location/Criteria;Z)Ljava/util/List;',
  ),
  ...each(
    yes,
    'addGpsStatusListener(Landroid/location/GpsStatus$Listener;)Z',
    'addNmeaListener(Landroid/location/GpsStatus$NmeaListener;)Z',
  ),
};

export const locationModels: Models = {
  'Landroid/location/LocationManager;': {
    methods: managerMethods,
    constants: {
      [`GPS_PROVIDER:${S}`]: 'gps',
      [`NETWORK_PROVIDER:${S}`]: 'network',
      [`PASSIVE_PROVIDER:${S}`]: 'passive',
    },
  },
  'Landroid/location/Location;': {
    implements: ['Landroid/os/Parcelable;'],
    methods: locationMethods,
    staticMethods: {
      'distanceBetween(DDDD[F)V': (
        machine,
        a: number,
        b: number,
        c: number,
        d: number,
        target: { elements: Float32Array; elementTaints: Taint[] | null } | null,
      ) => {
        if (target === null || target.elements.length < 1) {
          throw illegalArgument(machine, 'results is null or has length < 1');
        }
        const from = { latitude: a, longitude: b } as LocationState;
        target.elements[0] = distance(from, { latitude: c, longitude: d } as LocationState);
        const taint = [0, 1, 2, 3].reduce<Taint>((all, index) => machine.union(all, machine.argumentTaint(index)), 0);
        if (taint !== 0) target.elementTaints = Array.from(target.elements, () => taint);
      },
    },
  },
  [listenerType]: {
    isInterface: true,
    abstractMethods: [
      'onLocationChanged(Landroid/location/Location;)V',
      `onProviderEnabled(${S})V`,
      `onProviderDisabled(${S})V`,
      `onStatusChanged(${S}ILandroid/os/Bundle;)V`,
    ],
  },
  'Landroid/location/Criteria;': {
    methods: each(
      nothing,
      '<init>()V',
      'setAccuracy(I)V',
      'setPowerRequirement(I)V',
      'setCostAllowed(Z)V',
      'setAltitudeRequired(Z)V',
      'setBearingRequired(Z)V',
      'setSpeedRequired(Z)V',
    ),
  },
  'Landroid/location/Geocoder;': {
    methods: {
      ...each(nothing, '<init>(Landroid/content/Context;)V', '<init>(Landroid/content/Context;Ljava/util/Locale;)V'),
      'getFromLocation(DDI)Ljava/util/List;': (machine) => {
        const taint = machine.union(machine.argumentTaint(1), machine.argumentTaint(2));
        const address = machine.allocate('Landroid/location/Address;');
        address.taint = taint;
        return listOf(machine, [address]);
      },
    },
    staticMethods: { 'isPresent()Z': yes },
  },
  'Landroid/location/Address;': {
    methods: Object.fromEntries(
      Object.entries({
        getCountryName: 'Deutschland',
        getCountryCode: 'DE',
        getLocality: 'Berlin',
        getAdminArea: 'Berlin',
        getThoroughfare: 'Unter den Linden',
        getPostalCode: '10117',
        getFeatureName: '77',
      }).map(([name, value]): [string, NativeMethod] => [
        `${name}()${S}`,
        (machine, me) => machine.string(value, me.taint),
      ]),
    ),
  },
};
