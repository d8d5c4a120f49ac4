// Models of sensors, the vibrator and the battery. Knows no app's use of them.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod } from '../../machine/model.ts';
import { phone } from '../../world/device.ts';
import { appOf } from '../components/app.ts';
import { always, callIfThere, each, listOf, no, nothing, type Reference, yes } from '../model-parts.ts';

const S = 'Ljava/lang/String;';

const sensorListener = 'Landroid/hardware/SensorEventListener;';

function newSensor(machine: Machine, index: number): HeapObject {
  const sensor = machine.allocate('Landroid/hardware/Sensor;');
  sensor.native = phone.sensors[index];
  return sensor;
}
const sensorOf = (sensor: HeapObject) => sensor.native as (typeof phone.sensors)[number];

const registerSensor: NativeMethod = (machine, _me, listener: Reference, sensor: Reference) => {
  if (listener === null || sensor === null) return 0;
  const app = appOf(machine);
  app.listen(`sensor#${app.numberOf(listener)} ${sensorOf(sensor)?.type ?? 0}`, {
    kind: 'sensor',
    fire: () => {
      const event = machine.allocate('Landroid/hardware/SensorEvent;');
      const values = machine.array('F', 3);
      (values.elements as Float32Array).set([0.12, 9.74, 0.31]);
      if (sensorOf(sensor)?.type === 1) {
        const taint = machine.source('TAINT_ACCELEROMETER', 'SensorEventListener.onSensorChanged');
        values.elementTaints = [taint, taint, taint];
      }
      machine.setField(event, 'values', values);
      machine.setField(event, 'sensor', sensor);
      machine.setField(event, 'timestamp', BigInt(Math.trunc(machine.clock.elapsed)) * 1_000_000n);
      machine.call(listener, 'onSensorChanged(Landroid/hardware/SensorEvent;)V', event);
      callIfThere(machine, listener, 'onAccuracyChanged(Landroid/hardware/Sensor;I)V', sensor, 3);
    },
  });
  return 1;
};

export const sensorModels: Models = {
  'Landroid/hardware/SensorManager;': {
    methods: {
      'getDefaultSensor(I)Landroid/hardware/Sensor;': (machine, _me, type: number) => {
        const index = phone.sensors.findIndex((each) => each.type === type);
        return index < 0 ? null : newSensor(machine, index);
      },
      'getSensorList(I)Ljava/util/List;': (machine, _me, type: number) =>
        listOf(
          machine,
          phone.sensors.flatMap((each, index) =>
            type === -1 || each.type === type ? [newSensor(machine, index)] : [],
          ),
        ),
      ...each(
        registerSensor,
        `registerListener(${sensorListener}Landroid/hardware/Sensor;I)Z`,
        `registerListener(${sensorListener}Landroid/hardware/Sensor;II)Z`,
        `registerListener(${sensorListener}Landroid/hardware/Sensor;ILandroid/os/Handler;)Z`,
      ),
      [`unregisterListener(${sensorListener})V`]: (machine, _me, listener: Reference) => {
        if (listener !== null) appOf(machine).unlistenAll(`sensor#${appOf(machine).numberOf(listener)} `);
      },
      [`unregisterListener(${sensorListener}Landroid/hardware/Sensor;)V`]: (machine, _me, listener: Reference) => {
        if (listener !== null) appOf(machine).unlistenAll(`sensor#${appOf(machine).numberOf(listener)} `);
      },
    },
  },
  [sensorListener]: {
    isInterface: true,
    abstractMethods: [
      'onSensorChanged(Landroid/hardware/SensorEvent;)V',
      'onAccuracyChanged(Landroid/hardware/Sensor;I)V',
    ],
  },
  'Landroid/hardware/SensorEvent;': {
    fields: ['values:[F', 'sensor:Landroid/hardware/Sensor;', 'accuracy:I', 'timestamp:J'],
  },
  'Landroid/hardware/Sensor;': {
    methods: {
      [`getName()${S}`]: (machine, me) => machine.string(sensorOf(me).name),
      [`getVendor()${S}`]: (machine, me) => machine.string(sensorOf(me).vendor),
      'getType()I': (_machine, me) => sensorOf(me).type,
      'getVersion()I': always(2),
      'getMaximumRange()F': always(78),
      'getResolution()F': always(0),
      'getPower()F': always(0),
      [`toString()${S}`]: (machine, me) =>
        machine.string(
          `{Sensor name="${sensorOf(me).name}", vendor="${sensorOf(me).vendor}", version=2, type=${sensorOf(me).type}}`,
        ),
    },
  },
  'Landroid/os/Vibrator;': {
    methods: {
      ...each(nothing, 'vibrate(J)V', 'vibrate([JI)V', 'vibrate(Landroid/os/VibrationEffect;)V', 'cancel()V'),
      'hasVibrator()Z': yes,
    },
  },
  'Landroid/os/BatteryManager;': {
    methods: { 'getIntProperty(I)I': always(67), 'isCharging()Z': no, 'getLongProperty(I)J': () => 0n },
  },
};
