import { useWindowEvent } from '@mantine/hooks';
import { type DragEvent, useRef, useState } from 'react';

const holdsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');

/**
 * An area onto which files are dropped: its handlers, and whether files are over it now. `onDrop` is called for files alone. A
 * file that misses the area does not replace the page.
 */
export function useDropArea(onDrop: (dropped: DataTransfer) => void) {
  // Each element within tells of coming and going of its own.
  const depth = useRef(0);
  const [over, setOver] = useState(false);
  useWindowEvent('dragover', (event) => event.preventDefault());
  useWindowEvent('drop', (event) => event.preventDefault());
  const handlers = {
    onDragEnter(event: DragEvent) {
      if (!holdsFiles(event)) return;
      depth.current += 1;
      setOver(true);
    },
    onDragLeave() {
      depth.current = Math.max(0, depth.current - 1);
      setOver(depth.current > 0);
    },
    onDrop(event: DragEvent) {
      event.preventDefault();
      depth.current = 0;
      setOver(false);
      if (holdsFiles(event)) onDrop(event.dataTransfer);
    },
  };
  return { over, handlers };
}
