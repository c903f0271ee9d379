/**
 * How a text says in one language who wrote it: sources of patterns, in which a blank stands for any white space. Every
 * repetition in them has a limit, so that they are tried in constant time at each place.
 */
export interface SelfIdentificationPhrases {
  /** Before the name of a model: "I am". */
  readonly says: readonly string[];
  /** Before a name that might as well be the topic: "this is". A name that is a plain word is left alone behind it. */
  readonly shows?: readonly string[];
  /** Before and behind the name: "as … , I". */
  readonly as?: readonly [before: string, after: string];
  /** "written by", at the beginning of a line or behind "this answer was". */
  readonly wrote?: { readonly subject: string; readonly by: string };
  /** Whole phrases about the maker, which stands at `#`: "I was made by #". */
  readonly makers: readonly string[];
  /** What a letter ends with, before the name. */
  readonly closings: readonly string[];
}

/** A name already hidden; its maker may follow. */
const HIDDEN = '\\[a model\\],?';
/** Up to so many words, none of which leads elsewhere. */
const FEW = '(?: (?!(?:of|with|for|about|using|like|fan|and|who) )[^\\s.,;:!?()]{1,30}){0,5}?';
const MADE = '(?:made|created|developed|trained|built|designed|provided|hosted|produced)';
const GEMACHT = '(?:entwickelt|trainiert|erstellt|geschaffen|erschaffen|gebaut|gemacht|programmiert|bereitgestellt)';
const FAIT = '(?:créée?|développée?|entraînée?|conçue?|faite?)';
const HECHO = '(?:cread|desarrollad|entrenad|diseñad|hech)[oa]';
const FEITO = '(?:criad|desenvolvid|treinad|projetad|feit)[oa]';
const FATTO = '(?:creat|sviluppat|addestrat|progettat|realizzat|fatt)[oa]';
const GEMAAKT = '(?:gemaakt|ontwikkeld|getraind|gebouwd|ontworpen)';
const MODEL = '(?:model|assistant|AI|chatbot|LLM)';

/** By language; the last three are written without blanks between words, or with particles behind a name. */
export const SELF_IDENTIFICATION: Readonly<Record<string, SelfIdentificationPhrases>> = {
  en: {
    says: [
      "I(?: am|['’]m)(?: (?:actually|called|named|the model|the assistant))?",
      'my name is',
      'I,',
      "I(?: am|['’]m) an? [^.,;:!?()]{0,40}(?:named|called)",
    ],
    shows: ['this is', 'it is me,', "it['’]s me,"],
    as: ['as', ",? (?:I|I['’](?:m|d|ll|ve)|my)"],
    wrote: {
      subject:
        '(?:this|the above|my)(?: (?:answer|text|reply|response|draft|essay|review|solution|version))?(?: (?:was|is|has been))?',
      by: '(?:written|drafted|authored|answered|composed|generated) by',
    },
    makers: [
      `I(?: was|['’]m| am|['’]ve been| have been) ${MADE} by #`,
      `(?:I am|I['’]m|as|${HIDDEN}) (?:an?|the)${FEW} ${MODEL}${FEW},?(?: that was| which was)? (?:${MADE} (?:by|at)|by|from) #`,
      `${HIDDEN} (?:\\(|(?:${MADE} )?(?:by|from|at) )#`,
      'my (?:creators?|makers?|developers?)(?:,| is| are| at) #',
    ],
    closings: [
      '(?:(?:best|kind|warm) )?regards',
      'best(?: wishes)?',
      'sincerely',
      'yours(?: truly| sincerely| faithfully)?',
      'cheers',
    ],
  },
  de: {
    says: ['ich bin(?: (?:das Modell|der Assistent))?', 'ich heiße', 'mein Name ist'],
    shows: ['hier (?:ist|spricht|schreibt)', 'das ist'],
    as: ['als', ',?(?: [^\\s.,;:!?()]{1,20})? (?:ich|mir|mich)'],
    wrote: {
      subject: '(?:diese|meine)(?:r|s)? (?:Antwort|Text|Entwurf|Lösung|Fassung) (?:wurde|ist|stammt)',
      by: '(?:(?:geschrieben|verfasst|erstellt|generiert) )?von',
    },
    makers: [
      `ich (?:wurde|bin) von #(?= ${GEMACHT})`,
      `(?:ich bin|als|${HIDDEN}) (?:eine? |ein )?von #(?= ${GEMACHT})`,
      `(?:ich bin|als|${HIDDEN}) (?:eine? |das )?[^.,;:!?()]{0,40}(?:[Mm]odell|KI|[Aa]ssistent)(?: [^\\s.,;:!?()]{1,30}){0,3}?,?(?: d(?:as|er|ie))? von #`,
      `${HIDDEN} (?:${GEMACHT} )?von #`,
    ],
    closings: [
      '(?:mit (?:freundlichen|besten|herzlichen) )?Grüßen',
      '(?:viele|beste|liebe|herzliche) Grüße',
      'gezeichnet',
      'gez\\.',
    ],
  },
  fr: {
    says: ['je suis', "je m['’]appelle", 'mon nom est'],
    shows: ["c['’]est", 'ici'],
    as: ['(?:en tant que|comme)', ",? (?:je|j['’]|mon|ma|mes)"],
    wrote: { subject: '(?:cette réponse|ce texte)(?: (?:a été|est))?', by: '(?:écrite?|rédigée?|générée?) par' },
    makers: [
      `(?:j['’]ai été|je suis) ${FAIT} par #`,
      `(?:je suis|en tant que|${HIDDEN}) (?:une? )?(?:[^\\s.,;:!?()]{1,20} ){0,3}(?:modèle|assistante?|IA)(?: [^\\s.,;:!?()]{1,30}){0,4}? (?:par|de|d['’]) ?#`,
      `${HIDDEN} (?:${FAIT} )?(?:par|de|d['’]) ?#`,
    ],
    closings: ['(?:bien )?cordialement', 'amicalement', 'bien à vous'],
  },
  es: {
    says: ['(?:yo )?soy', 'me llamo', 'mi nombre es'],
    shows: ['esto es', 'aquí'],
    as: ['como', ',? (?:yo|no|puedo|soy|creo|diría|mis?|me|tengo|debo|recomiendo|opino|pienso)'],
    wrote: {
      subject: '(?:esta respuesta|este texto)(?: (?:fue|ha sido|está))?',
      by: '(?:escrit|redactad|generad)[oa] por',
    },
    makers: [
      `(?:fui|he sido|soy) ${HECHO} por #`,
      `(?:soy|como|${HIDDEN}) (?:una? )?(?:[^\\s.,;:!?()]{1,20} ){0,3}(?:modelo|asistente|IA)(?: [^\\s.,;:!?()]{1,30}){0,6}? (?:por|de) #`,
      `${HIDDEN} (?:${HECHO} )?(?:por|de) #`,
    ],
    closings: ['(?:un )?(?:cordial )?saludos?', '(?:saludos )?cordiales', 'atentamente'],
  },
  pt: {
    says: ['(?:eu )?sou(?: [oa])?', '(?:eu )?me chamo', '(?:o )?meu nome é'],
    shows: ['aqui é [oa]', 'este é [oa]'],
    as: ['como(?: [oa])?', ',? (?:eu|não|posso|sou|acho|diria|meus?|minhas?|tenho|devo|recomendo|penso)'],
    wrote: {
      subject: '(?:esta resposta|este texto)(?: (?:foi|é))?',
      by: '(?:escrit|redigid|gerad)[oa] (?:por|pel[oa])',
    },
    makers: [
      `(?:fui|sou) ${FEITO} (?:por|pel[oa]) #`,
      `(?:sou|como|${HIDDEN}) (?:uma? )?(?:[^\\s.,;:!?()]{1,20} ){0,3}(?:modelo|assistente|IA)(?: [^\\s.,;:!?()]{1,30}){0,6}? (?:por|pel[oa]|d[aoe]) #`,
      `${HIDDEN} (?:${FEITO} )?(?:por|pel[oa]|d[aoe]) #`,
    ],
    closings: ['atenciosamente', '(?:um )?abraços?', 'cumprimentos'],
  },
  it: {
    says: ['(?:io )?sono', 'mi chiamo', 'il mio nome è'],
    shows: ['questo è', 'qui'],
    as: ['(?:come|in quanto|in qualità di)', ',? (?:io|non|posso|sono|credo|direi|mi[oae]|ho|devo|consiglio|penso)'],
    wrote: {
      subject: '(?:questa risposta|questo testo)(?: (?:è stat[oa]|è))?',
      by: '(?:scritt|redatt|generat)[oa] da',
    },
    makers: [
      `sono stat[oa] ${FATTO} da #`,
      `(?:sono|come|${HIDDEN}) (?:un['’]?|uno|una)? ?(?:[^\\s.,;:!?()]{1,20} ){0,3}(?:modello|assistente|IA)(?: [^\\s.,;:!?()]{1,30}){0,5}? (?:da|di) #`,
      `${HIDDEN} (?:${FATTO} )?(?:da|di) #`,
    ],
    closings: ['(?:cordiali )?saluti', 'cordialmente'],
  },
  nl: {
    says: ['ik ben', 'ik heet', '(?:mijn|m’n) naam is'],
    shows: ['dit is', 'hier is'],
    as: ['als', ',?(?: [^\\s.,;:!?()]{1,20})? ik'],
    wrote: { subject: '(?:dit antwoord|deze tekst)(?: (?:is|werd))?', by: '(?:geschreven|opgesteld|gegenereerd) door' },
    makers: [
      `ik (?:ben|werd) (?:${GEMAAKT} )?door #`,
      `(?:ik ben|als|${HIDDEN}) (?:een )?[^.,;:!?()]{0,40}(?:model|assistent|AI)(?: [^\\s.,;:!?()]{1,30}){0,3}? (?:door|van) #`,
      `${HIDDEN} (?:${GEMAAKT} )?(?:door|van) #`,
    ],
    closings: ['(?:met )?vriendelijke groet(?:en)?', 'groet(?:en|jes)?'],
  },
  zh: {
    says: ['我(?:是|叫|的名字是|的名字叫)'],
    as: ['作为', '[,，]? ?我'],
    wrote: { subject: '(?:本文|这个回答|此回答)', by: '由' },
    makers: [
      '(?:我是|作为|\\[a model\\][,，]?)(?:一个|一款|是)?由?#(?= ?(?:公司)?(?:开发|训练|创建|研发|打造|推出|创造))',
      '我由#',
    ],
    closings: ['此致'],
  },
  ja: {
    says: ['(?:私|わたし|僕)(?:は|の名前は)、?'],
    makers: [
      '(?:(?:私|わたし|僕)は、?|\\[a model\\]、?)#(?= ?社?(?:によって|により|が|に|の) ?(?:開発|作|訓練|学習|トレーニング|提供))',
    ],
    closings: [],
  },
  ko: {
    says: ['(?:저는|나는|제 이름은|내 이름은)'],
    makers: ['(?:(?:저는|나는)|\\[a model\\],?) ?#(?= ?(?:에서|가|이|에 의해|의) ?(?:개발|만든|만들|훈련|학습|제공))'],
    closings: [],
  },
};

/** The languages written without blanks between words: a phrase may follow a letter. */
export const UNSPACED_LANGUAGES: ReadonlySet<string> = new Set(['zh', 'ja', 'ko']);
