// What the phone says it is: Build, its version, system properties, the virtual machine. Knows no app.
import { stringArray } from '../../java/values.ts';
import type { Machine, Models, NativeMethod } from '../../machine/model.ts';
import { phone } from '../../world/device.ts';
import { propertyOf } from '../../world/world.ts';
import { always, flag, noLong, nothing, plain, type Reference, yes } from '../model-parts.ts';
import { singleton } from './system-services.ts';

const S = 'Ljava/lang/String;';

const buildConstants = {
  ...Object.fromEntries(Object.entries(phone.build).map(([name, value]) => [`${name}:${S}`, value])),
  [`SERIAL:${S}`]: (machine: Machine) =>
    machine.string(phone.serial, machine.source('TAINT_DEVICE_SN', 'Build.SERIAL')),
  'TIME:J': 1_560_160_011_000n,
  [`SUPPORTED_ABIS:[${S}`]: (machine: Machine) => stringArray(machine, ['arm64-v8a', 'armeabi-v7a', 'armeabi']),
  [`SUPPORTED_64_BIT_ABIS:[${S}`]: (machine: Machine) => stringArray(machine, ['arm64-v8a']),
  [`SUPPORTED_32_BIT_ABIS:[${S}`]: (machine: Machine) => stringArray(machine, ['armeabi-v7a', 'armeabi']),
};

const property: NativeMethod = (machine, name: Reference, otherwise: Reference = null) => {
  const value = propertyOf(plain(machine, name));
  const taint = /serial/.test(plain(machine, name)) ? machine.source('TAINT_DEVICE_SN', 'SystemProperties.get') : 0;
  return value === '' ? (otherwise ?? machine.string('')) : machine.string(value, taint);
};

export const buildModels: Models = {
  'Landroid/os/Build;': {
    constants: buildConstants,
    staticMethods: {
      [`getSerial()${S}`]: (machine) =>
        machine.string(phone.serial, machine.source('TAINT_DEVICE_SN', 'Build.getSerial')),
      [`getRadioVersion()${S}`]: always(phone.build.RADIO!),
    },
  },
  'Landroid/os/Build$VERSION;': {
    constants: {
      'SDK_INT:I': phone.sdk,
      [`SDK:${S}`]: String(phone.sdk),
      [`RELEASE:${S}`]: phone.release,
      [`CODENAME:${S}`]: 'REL',
      [`INCREMENTAL:${S}`]: 'G950FXXU5DSFB',
      'PREVIEW_SDK_INT:I': 0,
      [`SECURITY_PATCH:${S}`]: '2019-06-01',
      [`BASE_OS:${S}`]: '',
    },
  },
  'Landroid/os/SystemProperties;': {
    staticMethods: {
      [`get(${S})${S}`]: property,
      [`get(${S}${S})${S}`]: property,
      [`getInt(${S}I)I`]: (machine, name: Reference, otherwise: number) =>
        Number(propertyOf(plain(machine, name))) || otherwise,
      [`getBoolean(${S}Z)Z`]: (machine, name: Reference, otherwise: number) =>
        propertyOf(plain(machine, name)) === '' ? otherwise : flag(propertyOf(plain(machine, name)) === '1'),
    },
  },
  'Ldalvik/system/VMRuntime;': {
    methods: {
      'is64Bit()Z': yes,
      [`vmLibrary()${S}`]: always('libart.so'),
      'getTargetSdkVersion()I': always(28),
      'setHiddenApiExemptions([Ljava/lang/String;)V': nothing,
      'setMinimumHeapSize(J)J': noLong,
      'setTargetHeapUtilization(F)F': always(0),
    },
    staticMethods: {
      'getRuntime()Ldalvik/system/VMRuntime;': (machine) => singleton(machine, 'Ldalvik/system/VMRuntime;'),
    },
  },
};
