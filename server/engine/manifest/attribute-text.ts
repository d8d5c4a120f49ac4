// How the record of a manifest writes typed values: in androguard's notation. Knows no element and no table.
import {
  dataToFloat,
  isColorType,
  isReferenceType,
  type ResValue,
  valueText,
  valueTypes,
} from '../formats/arsc/res-value.ts';

const decimals = 6;

/**
 * Text of a value as androguard 3 writes it: `3.000000`, `@7F010001`, `#80FF0000`; dimensions and fractions in their
 * shortest digits.
 * @returns null for the null type and types that Android does not know
 */
export function attributeText(value: ResValue): string | null {
  const { type, data } = value;
  if (type === valueTypes.float) return fixedText(dataToFloat(data));
  const text = valueText(value);
  if (type === valueTypes.intHexadecimal) return `0x${text!.slice(2).toUpperCase()}`;
  const isAttribute = type === valueTypes.attribute || type === valueTypes.dynamicAttribute;
  return isReferenceType(type) || isAttribute || isColorType(type) ? text!.toUpperCase() : text;
}

/** C's `%f` of a 32-bit float, halves rounded to even: scaled, its 24 bits still fit into a double's 53. */
function fixedText(number: number): string {
  if (Number.isNaN(number)) return 'nan';
  const sign = number < 0 || Object.is(number, -0) ? '-' : '';
  if (!Number.isFinite(number)) return `${sign}inf`;
  const scaled = Math.abs(number) * 10 ** decimals;
  const floor = Math.floor(scaled);
  const isUp = scaled - floor > 0.5 || (scaled - floor === 0.5 && floor % 2 === 1);
  const digits = BigInt(isUp ? floor + 1 : floor)
    .toString()
    .padStart(decimals + 1, '0');
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
