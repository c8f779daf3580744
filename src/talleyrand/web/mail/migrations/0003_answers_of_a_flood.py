from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("mail", "0002_office_mailbox")]

    operations = [
        migrations.AddField("outboundemail", "is_of_flood", models.BooleanField(default=False)),
    ]
