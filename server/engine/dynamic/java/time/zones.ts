// Models of ZoneId and ZoneOffset. Knows zones by text/date-fields.ts.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass } from '../../machine/model.ts';
import { defaultZone, isKnownZone } from '../text/date-fields.ts';
import { instance, type Reference, required, textOf } from '../values.ts';
import { JT, S } from './temporal.ts';

const zoneType = `${JT}ZoneId;`;
const offsetType = `${JT}ZoneOffset;`;

export const newZone = (machine: Machine, id: string): HeapObject =>
  instance(machine, /^(?:Z|[+-].*)$/.test(id) ? offsetType : zoneType, id);

/** The id of a zone. */
export const zoneOf = (machine: Machine, zone: Reference): string => required(machine, zone).native as string;

export const zoneModels: Record<string, ModelClass> = {
  [zoneType]: {
    staticMethods: {
      [`systemDefault()${zoneType}`]: (machine) => newZone(machine, defaultZone(machine).id),
      [`of(${S})${zoneType}`]: (machine, id: Reference) => {
        const name = textOf(machine, id);
        if (!isKnownZone(name)) throw machine.exception(`${JT}DateTimeException;`, `Unknown time-zone ID: ${name}`);
        return newZone(machine, name);
      },
    },
    methods: {
      [`getId()${S}`]: (machine, me) => machine.string(zoneOf(machine, me)),
      [`toString()${S}`]: (machine, me) => machine.string(zoneOf(machine, me)),
      'equals(Ljava/lang/Object;)Z': (_machine, me, other: Reference) => other !== null && other.native === me.native,
    },
  },
  [offsetType]: {
    extends: zoneType,
    constants: { [`UTC:${offsetType}`]: (machine) => newZone(machine, 'Z') },
    staticMethods: {
      [`of(${S})${offsetType}`]: (machine, id: Reference) => newZone(machine, textOf(machine, id)),
      [`ofHours(I)${offsetType}`]: (machine, hours: number) =>
        newZone(machine, hours === 0 ? 'Z' : `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`),
    },
  },
};
