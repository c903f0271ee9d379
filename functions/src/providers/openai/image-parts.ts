import type { ChatCompletionContentPart } from 'openai/resources/chat/completions';
import type { ResponseInputFile, ResponseInputImage } from 'openai/resources/responses/responses';
import { type ImageAttachment, isAddress, PDF_TYPE } from '../../models/images';
import { textOfPieces } from '../../models/model';
import type { LongTexts } from '../transport/long-texts';

/** Name of a PDF that has none: the protocol demands one. */
const UNNAMED = 'document.pdf';

/** An image as a part of a chat message. */
export function chatPart(image: ImageAttachment, texts: LongTexts): ChatCompletionContentPart {
  const { url, filename } = fileOf(image, texts);
  return filename === undefined
    ? { type: 'image_url', image_url: { url } }
    : { type: 'file', file: { filename, file_data: url } };
}

/** An image as a part of a message in the Responses protocol. */
export function responsesPart(image: ImageAttachment, texts: LongTexts): ResponseInputImage | ResponseInputFile {
  const { url, filename } = fileOf(image, texts);
  return filename === undefined
    ? { type: 'input_image', detail: 'auto', image_url: url }
    : { type: 'input_file', filename, file_data: url };
}

/** Address of an image, which may hold its data; a PDF has a name. */
function fileOf(image: ImageAttachment, texts: LongTexts): { readonly url: string; readonly filename?: string } {
  if (isAddress(image)) return image;
  const { mediaType, base64, name = UNNAMED } = image;
  const url = texts.of(textOfPieces([`data:${mediaType};base64,`, base64]));
  return { url, ...(mediaType === PDF_TYPE && { filename: name }) };
}
