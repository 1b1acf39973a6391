import { useState, type DragEvent, type ReactNode } from 'react';
import classes from './drop-zone.module.css';

/** Accepts dropped files. Users without a mouse choose files with a button elsewhere on the page. */
export function DropZone({ onDrop, children }: { onDrop: (files: readonly File[]) => void; children: ReactNode }) {
  const [isOver, setOver] = useState(false);
  const drag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };
  const leave = ({ currentTarget, relatedTarget }: DragEvent) => {
    if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onDrop([...event.dataTransfer.files]);
  };
  return (
    <div
      className={classes.zone}
      data-over={isOver}
      onDragEnter={drag}
      onDragOver={drag}
      onDragLeave={leave}
      onDrop={drop}
    >
      {children}
    </div>
  );
}
