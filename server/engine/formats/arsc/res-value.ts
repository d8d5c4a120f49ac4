// Typed values of Android's binary resources (Res_value) and how they read as text. Knows no table and no document.

/** `Res_value.dataType`. @see https://android.googlesource.com/platform/frameworks/base/+/refs/heads/main/libs/androidfw/include/androidfw/ResourceTypes.h */
export const valueTypes = {
  null: 0x00,
  reference: 0x01,
  attribute: 0x02,
  string: 0x03,
  float: 0x04,
  dimension: 0x05,
  fraction: 0x06,
  dynamicReference: 0x07,
  dynamicAttribute: 0x08,
  intDecimal: 0x10,
  intHexadecimal: 0x11,
  intBoolean: 0x12,
  colorArgb8: 0x1c,
  colorRgb8: 0x1d,
  colorArgb4: 0x1e,
  colorRgb4: 0x1f,
  lastInt: 0x1f,
} as const;

/** A typed value; `text` is the string of a string value and null for every other type. */
export interface ResValue {
  type: number;
  /** Unsigned 32 bits, as they stand. */
  data: number;
  text: string | null;
}

const dimensionUnits = ['px', 'dip', 'sp', 'pt', 'in', 'mm'];
const fractionUnits = ['%', '%p'];
/** Multipliers of the mantissa's four radix positions: 23p0, 16p7, 8p15, 0p23. */
const radixMultipliers = [1 / (1 << 8), 1 / (1 << 15), 1 / (1 << 23), 1 / 2 ** 31];

export const isReferenceType = (type: number): boolean =>
  type === valueTypes.reference || type === valueTypes.dynamicReference;

export const isIntegerType = (type: number): boolean => type >= valueTypes.intDecimal && type <= valueTypes.lastInt;

export const isColorType = (type: number): boolean => type >= valueTypes.colorArgb8 && type <= valueTypes.colorRgb4;

/** The number of a complex value (dimension or fraction), without its unit. */
export function complexToNumber(data: number): number {
  return (data & 0xffffff00) * radixMultipliers[(data >> 4) & 3]!;
}

/** The unit of a dimension, `px` where it is none that Android knows. */
export const dimensionUnit = (data: number): string => dimensionUnits[data & 0xf] ?? 'px';

/** The unit of a fraction, `%` where it is none that Android knows. */
export const fractionUnit = (data: number): string => fractionUnits[data & 0xf] ?? '%';

const floats = new DataView(new ArrayBuffer(4));

/** The number of a float value. */
export function dataToFloat(data: number): number {
  floats.setUint32(0, data);
  return floats.getFloat32(0);
}

/** A 32-bit float in the shortest digits that tell it from its neighbours. */
function floatText(number: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = number.toPrecision(digits);
    if (Math.fround(Number(text)) === Math.fround(number)) return String(Number(text));
  }
  return String(number);
}

export const hex8 = (number: number): string => (number >>> 0).toString(16).padStart(8, '0');

/**
 * Text of a value as Android's `TypedValue.coerceToString` has it; references and attributes as `@7f010001`, `?7f010001`.
 * @returns null for the null type and types that Android does not know
 */
export function valueText(value: ResValue): string | null {
  const { type, data } = value;
  switch (type) {
    case valueTypes.null:
      // DATA_NULL_EMPTY is the literal @empty.
      return data === 1 ? '' : null;
    case valueTypes.string:
      return value.text;
    case valueTypes.reference:
    case valueTypes.dynamicReference:
      return `@${hex8(data)}`;
    case valueTypes.attribute:
    case valueTypes.dynamicAttribute:
      return `?${hex8(data)}`;
    case valueTypes.float:
      return floatText(dataToFloat(data));
    case valueTypes.dimension:
      return floatText(complexToNumber(data)) + dimensionUnit(data);
    case valueTypes.fraction:
      return floatText(complexToNumber(data) * 100) + fractionUnit(data);
    case valueTypes.intHexadecimal:
      return `0x${hex8(data)}`;
    case valueTypes.intBoolean:
      return data === 0 ? 'false' : 'true';
    case valueTypes.colorArgb8:
    case valueTypes.colorArgb4:
    case valueTypes.colorRgb8:
    case valueTypes.colorRgb4:
      return `#${hex8(data)}`;
    default:
      return isIntegerType(type) ? String(data | 0) : null;
  }
}
