// A picture whose bytes came by a request with the session's token. Knows nothing of where they are from.
import { useEffect, useRef } from 'react';

interface BlobImageProps {
  blob: Blob;
  alt: string;
  /** Told of the picture's own size, in pixels. */
  onSize?: (width: number, height: number) => void;
}

/** The address goes to the element itself: a state for each of hundreds of pictures would render each of them twice. */
export function BlobImage({ blob, alt, onSize }: BlobImageProps) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const address = URL.createObjectURL(blob);
    image.current!.src = address;
    return () => URL.revokeObjectURL(address);
  }, [blob]);
  return (
    <img
      ref={image}
      alt={alt}
      decoding="async"
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => onSize?.(naturalWidth, naturalHeight)}
    />
  );
}
