/** As `COUNTED_TEXTS`; the rates were fixed after these had been measured, on other texts. */
export const FURTHER_TEXTS = [
  {
    kind: 'Chinese, traditional',
    tokens: 63,
    text: '請幫我把這封信改得更客氣一點：「您好，上週訂購的兩張椅子到現在還沒有送到，客服電話也一直打不通。請問什麼時候可以收到？」語氣要堅定，但不要失禮。',
  },
  {
    kind: 'Chinese, technical',
    tokens: 53,
    text: '当缓存失效时，服务会重新查询数据库，并把结果写入内存。若并发请求过多，应使用分布式锁，避免缓存击穿；同时设置随机的过期时间，防止大量键同时失效。',
  },
  {
    kind: 'Japanese, polite',
    tokens: 52,
    text: 'お世話になっております。先日お送りいただいた見積書について、二点ほど確認させてください。納期は来月末で間違いないでしょうか。また、送料は価格に含まれていますか。',
  },
  {
    kind: 'Japanese, katakana',
    tokens: 47,
    text: 'サーバーのログをダウンロードして、エラーメッセージをチェックしてください。ネットワークのタイムアウトが原因なら、リトライの回数をコンフィグで変更できます。',
  },
  {
    kind: 'Korean, technical',
    tokens: 51,
    text: '데이터베이스 연결이 끊어지면 서버는 자동으로 다시 시도합니다. 세 번 실패하면 관리자에게 알림을 보내고, 사용자에게는 잠시 후 다시 시도해 달라는 메시지를 보여 줍니다.',
  },
  {
    kind: 'Arabic, technical',
    tokens: 38,
    text: 'اكتب دالة تتحقق من صحة عنوان البريد الإلكتروني، ثم اشرح خطوة بخطوة كيف تعمل، وما هي الحالات التي قد تفشل فيها. لا تستخدم مكتبات خارجية.',
  },
  {
    kind: 'Hebrew',
    tokens: 46,
    text: 'הרכבת לירושלים יוצאת בשעה שבע וחצי מהרציף השני. מומלץ להגיע לתחנה רבע שעה מראש, לקנות כרטיס במכונה ולשמור אותו עד סוף הנסיעה.',
  },
  {
    kind: 'Hindi, technical',
    tokens: 47,
    text: 'कृपया इस रिपोर्ट का सारांश तीन वाक्यों में लिखिए। पहले वाक्य में मुख्य समस्या बताइए, दूसरे में उसका कारण, और तीसरे में वह समाधान जिसे समिति ने सबसे उचित माना है।',
  },
  {
    kind: 'Thai',
    tokens: 59,
    text: 'ร้านอาหารแห่งนี้เปิดทุกวันตั้งแต่สิบโมงเช้าถึงสามทุ่ม เมนูแนะนำคือแกงเขียวหวานไก่และส้มตำ ถ้ามาเป็นกลุ่มใหญ่ควรโทรจองโต๊ะล่วงหน้าอย่างน้อยหนึ่งวัน',
  },
  {
    kind: 'Vietnamese',
    tokens: 49,
    text: 'Mùa mưa năm nay đến sớm hơn mọi năm, nên nhiều con đường trong thành phố bị ngập. Người dân được khuyên nên ở nhà vào buổi tối và theo dõi dự báo thời tiết trước khi đi làm.',
  },
  {
    kind: 'Russian, technical',
    tokens: 43,
    text: 'Напишите скрипт, который каждую ночь создаёт резервную копию базы данных, сжимает её и отправляет на удалённый сервер. При ошибке администратор должен получить уведомление.',
  },
  {
    kind: 'Ukrainian',
    tokens: 55,
    text: 'Учора ввечері в нашому місті відкрили новий книжковий магазин. Прийшло стільки людей, що довелося чекати надворі, але кожен відвідувач отримав у подарунок чашку кави.',
  },
  {
    kind: 'Greek',
    tokens: 61,
    text: 'Το μουσείο παραμένει κλειστό τις Δευτέρες. Τις υπόλοιπες ημέρες μπορείτε να το επισκεφθείτε από τις εννέα το πρωί, ενώ την πρώτη Κυριακή του μήνα η είσοδος είναι ελεύθερη.',
  },
  {
    kind: 'German, letter',
    tokens: 46,
    text: 'Sehr geehrte Damen und Herren, hiermit kündige ich meinen Mietvertrag fristgerecht zum nächstmöglichen Zeitpunkt. Bitte bestätigen Sie mir den Eingang dieses Schreibens sowie den Termin der Wohnungsübergabe schriftlich.',
  },
  {
    kind: 'Turkish',
    tokens: 42,
    text: 'Bilgisayarınızı yeniden başlattıktan sonra güncellemelerin yüklenip yüklenmediğini kontrol edin. Sorun devam ederse destek ekibimize ekran görüntüsüyle birlikte yazabilirsiniz.',
  },
  {
    kind: 'Polish',
    tokens: 49,
    text: 'W przyszłym tygodniu przeprowadzamy się do nowego mieszkania, dlatego szukamy firmy, która przewiezie meble i książki. Najważniejsze, żeby nic się po drodze nie zniszczyło.',
  },
  {
    kind: 'Finnish',
    tokens: 45,
    text: 'Kesämökin laituri pitäisi korjata ennen juhannusta, koska muutama lauta on lahonnut talven aikana. Naapuri lupasi lainata työkaluja ja auttaa viikonloppuna.',
  },
  {
    kind: 'Indonesian',
    tokens: 40,
    text: 'Sebelum berangkat ke bandara, pastikan paspor dan tiket sudah ada di dalam tas. Perjalanan biasanya memakan waktu satu jam, tetapi bisa lebih lama kalau jalanan macet.',
  },
  {
    kind: 'Rust',
    tokens: 69,
    text: 'use std::collections::HashMap;\n\npub fn word_counts(text: &str) -> HashMap<String, usize> {\n    let mut counts = HashMap::new();\n    for word in text.split_whitespace() {\n        *counts.entry(word.to_lowercase()).or_insert(0) += 1;\n    }\n    counts\n}\n',
  },
  {
    kind: 'Go',
    tokens: 107,
    text: 'func (s *Server) handleUpload(w http.ResponseWriter, r *http.Request) {\n\tif err := r.ParseMultipartForm(32 << 20); err != nil {\n\t\thttp.Error(w, err.Error(), http.StatusBadRequest)\n\t\treturn\n\t}\n\tfile, header, err := r.FormFile("document")\n\tif err != nil {\n\t\tlog.Printf("upload failed: %v", err)\n\t\treturn\n\t}\n\tdefer file.Close()\n\tfmt.Fprintf(w, "got %s\\n", header.Filename)\n}\n',
  },
  {
    kind: 'SQL',
    tokens: 84,
    text: "SELECT c.name, COUNT(o.id) AS orders, SUM(o.total) AS revenue\nFROM customers c\nLEFT JOIN orders o ON o.customer_id = c.id AND o.created_at >= '2024-01-01'\nWHERE c.country IN ('DE', 'AT', 'CH')\nGROUP BY c.name\nHAVING SUM(o.total) > 1000\nORDER BY revenue DESC\nLIMIT 20;\n",
  },
  {
    kind: 'C',
    tokens: 117,
    text: '#include <stdio.h>\n#include <stdlib.h>\n\nstatic int compare(const void *a, const void *b) {\n    return *(const int *)a - *(const int *)b;\n}\n\nint main(void) {\n    int values[] = {42, 7, 19, 3};\n    size_t n = sizeof(values) / sizeof(values[0]);\n    qsort(values, n, sizeof(int), compare);\n    for (size_t i = 0; i < n; i++) printf("%d\\n", values[i]);\n    return EXIT_SUCCESS;\n}\n',
  },
  {
    kind: 'CSS and HTML',
    tokens: 121,
    text: '<style>\n.card { display: flex; gap: 12px; padding: 1rem 1.5rem; border: 1px solid #e0e0e0; border-radius: 8px; }\n.card:hover { box-shadow: 0 2px 6px rgba(0, 0, 0, .15); }\n</style>\n<div class="card" id="profile"><img src="/img/avatar.png" alt="Avatar" width="64" height="64"><p>Hello, <b>Mira</b>!</p></div>\n',
  },
  {
    kind: 'JSON, nested',
    tokens: 74,
    text: '{"id":"evt_8fK2","type":"invoice.paid","created":1718890432,"data":{"object":{"amount_due":12900,"currency":"eur","customer":"cus_Q1x9","lines":[{"description":"Team plan","quantity":5,"unit_amount":2580}],"metadata":{}}},"livemode":false}',
  },
  {
    kind: 'YAML',
    tokens: 71,
    text: 'services:\n  web:\n    image: nginx:1.27-alpine\n    ports:\n      - "8080:80"\n    environment:\n      LOG_LEVEL: debug\n      API_URL: http://api:3000\n    depends_on:\n      - api\n  api:\n    build: ./api\n    restart: unless-stopped\n',
  },
  {
    kind: 'Log lines',
    tokens: 106,
    text: '2025-03-14T09:26:53.589Z INFO  [worker-3] job=4812 done in 1532 ms\n2025-03-14T09:26:54.102Z WARN  [worker-1] queue length 219 exceeds 200\n2025-03-14T09:26:55.771Z ERROR [worker-2] job=4815 failed: ECONNRESET at 10.0.4.17:5432\n',
  },
  {
    kind: 'Base64, random',
    tokens: 123,
    text: 'k3Jx9QvT7mZpWc1LrY0uNf8sHbXeGdA4oVi2RqKtMyC5jUnPzSwBhD6lEgFaOIkTx+v/1ZQ8rJm3NpYsXcHuW7yVbL0dGfK9tRzEoAqC2iM4jPnS5hUlBwDgFxeIvTkOa6QyZr8mJ1pNs3XcHu==',
  },
  {
    kind: 'UUIDs',
    tokens: 85,
    text: '3f2504e0-4f89-41d3-9a0c-0305e82c3301\n9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d\n1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed\n',
  },
  { kind: 'Emoji, families and flags', tokens: 49, text: 'Party! 🎂🎈🥂 👨‍👩‍👧‍👦 🇩🇪🇯🇵 ❤️‍🔥 👍🏽 ✅ ⚠️ 🤷‍♀️ 🐢➡️🏁' },
  {
    kind: 'Digits, table',
    tokens: 72,
    text: '17 204 3981\n56 777 1203\n88 140 9965\n3.14159 2.71828 1.61803\n0.000125 6.022e23 -273.15\n+49 170 5550123\n4111 1111 1111 1111\n',
  },
  {
    kind: 'Whitespace-heavy',
    tokens: 46,
    text: 'Name                Qty        Price\n\n    Apples            12         3.60\n    Pears              4         2.20\n\n\n\n        Total                    5.80\n\n\n                                        (paid)\n\t\t\tThank you\n',
  },
  {
    kind: 'Mathematics',
    tokens: 80,
    text: 'Let ∑ₙ aₙ converge absolutely. Then ∀ε > 0 ∃N: |∑_{n>N} aₙ| < ε. Hence \\int_0^1 f(x)\\,dx \\le \\frac{1}{2}\\sqrt{\\pi} and x² + y² ≠ z³ for α, β ∈ ℝ.',
  },
  {
    kind: 'Mixed, English and Chinese',
    tokens: 52,
    text: 'Please translate this error for me: 连接超时，请稍后重试 (code 504). The user 王小明 sees it after clicking “提交订单” on iOS 17.2 — is it our API or the 支付 gateway?',
  },
  {
    kind: 'Shouting',
    tokens: 34,
    text: 'WARNING: DO NOT TURN OFF THE POWER WHILE THE UPDATE IS RUNNING. CONTACT YOUR ADMINISTRATOR IF THE SCREEN STAYS BLACK FOR MORE THAN TEN MINUTES.',
  },
  {
    kind: 'Chat, informal English',
    tokens: 36,
    text: "lol yeah i don't think that's gonna work tbh... can u check if it's ok w/ them first?? also pls send me the pics from last nite :) thx!!",
  },
];
