import { Modal, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callArea } from '../../api/areas.js';
import { currentProject } from '../../api/project.js';
import type { ShownImage } from './shown-image.js';
import classes from './talk.module.css';

/** Thumbnails of a message's images; each opens its image. */
export function MessageImages({ images }: { images: readonly ShownImage[] }) {
  if (images.length === 0) return null;
  return (
    <ul className={classes.images} aria-label="Images">
      {images.map((image) => (
        <li key={image.key}>{image.path === undefined ? <Thumbnail image={image} /> : <Stored image={image} />}</li>
      ))}
    </ul>
  );
}

/**
 * The service sends images only to requests with a token. The page therefore fetches each image, and shows it at an address within the
 * page.
 */
function Stored({ image }: { image: ShownImage }) {
  const { path = '' } = image;
  const file = useQuery({
    queryKey: ['runtime', 'image', path, currentProject()],
    queryFn: async ({ signal }) => {
      const answer = await callArea('runtime', 'GET', path, { signal, headers: { accept: 'image/*' } });
      return answer.blob();
    },
    staleTime: Infinity,
    retry: false,
  });
  const url = useAddress(file.data);
  if (file.error) return <span className={classes.lost}>{image.name} is not available.</span>;
  return <Thumbnail image={{ ...image, ...(url !== undefined && { url }) }} />;
}

function useAddress(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!blob) return undefined;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}

function Thumbnail({ image: { name, url, size } }: { image: ShownImage }) {
  const [isOpen, setOpen] = useState(false);
  const shape = size && { aspectRatio: `${size.width} / ${size.height}` };
  return (
    <>
      <UnstyledButton
        className={classes.thumbnail}
        aria-label={`Open ${name}`}
        disabled={url === undefined}
        style={shape}
        onClick={() => setOpen(true)}
      >
        {url !== undefined && <img src={url} alt="" />}
      </UnstyledButton>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={<bdi>{name}</bdi>} size="auto">
        {url !== undefined && <img className={classes.image} src={url} alt={name} />}
      </Modal>
    </>
  );
}
