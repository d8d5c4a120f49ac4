// An address as a QR code, drawn as one path. Knows nothing of the address.
import { encode } from 'uqr';

/** Modules of quiet zone around the code, as ISO/IEC 18004 asks for. */
const quietZone = 4;

export function QrCode({ text, label, size = 164 }: { text: string; label: string; size?: number }) {
  const { data } = encode(text, { border: 0 });
  const side = data.length + 2 * quietZone;
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + quietZone} ${y + quietZone}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
