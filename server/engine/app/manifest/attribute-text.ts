// How the record of a manifest writes typed values: in androguard's notation. Knows no element and no table.
import {
  dataToFloat,
  dimensionUnit,
  fractionUnit,
  hex8,
  isColorType,
  isReferenceType,
  type ResValue,
  valueText,
  valueTypes,
} from '../../formats/arsc/res-value.ts';

const decimals = 6;
/** Of a complex value's four radix positions; androguard has them to seven digits, which shows in fractions. */
const radixMultipliers = [0.00390625, 3.051758e-5, 1.192093e-7, 4.656613e-10];

/**
 * Text of a value as androguard 3 writes it: `3.000000`, `10.000000dip`, `50.000001%`, `@7F010001`, `?android:01010036`,
 * `#80FF0000`. Dimensions and fractions keep their sign, which androguard loses.
 * @returns null for the null type and types that Android does not know
 */
export function attributeText(value: ResValue): string | null {
  const { type, data } = value;
  if (isReferenceType(type)) return `@${idText(data)}`;
  if (isColorType(type)) return `#${hex8(data).toUpperCase()}`;
  switch (type) {
    case valueTypes.attribute:
    case valueTypes.dynamicAttribute:
      return `?${idText(data)}`;
    case valueTypes.intHexadecimal:
      return `0x${hex8(data).toUpperCase()}`;
    case valueTypes.float:
      return fixedText(dataToFloat(data));
    case valueTypes.dimension:
      return fixedText(complexNumber(data)) + dimensionUnit(data);
    case valueTypes.fraction:
      return fixedText(complexNumber(data) * 100) + fractionUnit(data);
    default:
      return valueText(value);
  }
}

const idText = (id: number): string => `${id >>> 24 === 1 ? 'android:' : ''}${hex8(id).toUpperCase()}`;

const complexNumber = (data: number): number => (data & 0xffffff00) * radixMultipliers[(data >> 4) & 3]!;

/** C's `%f`: six decimals, halves rounded to even. */
function fixedText(number: number): string {
  if (Number.isNaN(number)) return 'nan';
  const sign = number < 0 || Object.is(number, -0) ? '-' : '';
  const size = Math.abs(number);
  if (size === Infinity) return `${sign}inf`;
  // From there on numbers are whole, and those of `toFixed` turn into powers of ten.
  if (size >= Number.MAX_SAFE_INTEGER) return `${sign}${BigInt(size)}.${'0'.repeat(decimals)}`;
  const text = size.toFixed(decimals);
  // `toFixed` rounds halves up. Of binary fractions only odd multiples of 1/128 are halves in the seventh decimal.
  const isHalf = (size * 128) % 2 === 1;
  const last = Number(text.at(-1));
  return sign + (isHalf && last % 2 === 1 ? text.slice(0, -1) + (last - 1) : text);
}
