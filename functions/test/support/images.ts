import type { ChatTurn } from '../../src/models/model';

/** A turn with two images; their bytes are the words `png` and `jpg`. */
export const LOOK: ChatTurn = {
  role: 'user',
  text: 'Look',
  images: [
    { mediaType: 'image/png', base64: 'cG5n' },
    { mediaType: 'image/jpeg', base64: 'anBn' },
  ],
};
